// Are the parts of configuration files those that their formats name?
import { expect, test } from 'vitest'
import { findLines } from '../find-lines.ts'
import { parseDocument } from '../parse-document.ts'
import { findConfigUnits } from './find-config-units.ts'

const units = (path: string, text: string): string[] =>
  findConfigUnits(path, findLines(text)).map(({ line, name }) => `${line + 1} ${name}`)
const filler = 'an_option_with_a_long_name = "and a value that takes up some room"\n'

test('TOML and INI are divided at their tables, with the comments above them', () => {
  const text = `name = "x"\n\n# How to build.\n[build]\n${filler.repeat(2)}\n[[bin]]\n${filler.repeat(2)}`
  expect(units('pyproject.toml', text)).toEqual(['3 build', '8 bin'])
  expect(units('setup.cfg', '[metadata]\nname = a\n[options]\nx = y\n')).toEqual(['1 metadata, options'])
})

test('YAML is divided at top-level keys, and at resources where it holds several', () => {
  const body = '  key: and a value that takes up some room in this file\n'.repeat(3)
  expect(units('ci.yml', `name: x\non:\n${body}jobs:\n${body}`)).toEqual(['1 name, on', '6 jobs'])
  const resource = (kind: string, name: string): string =>
    `---\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n${body}`
  expect(units('k8s/all.yaml', resource('Service', 'web') + resource('Deployment', 'api'))).toEqual([
    '1 Service web',
    '9 Deployment api',
  ])
})

test('Makefiles, Dockerfiles, SQL and protobuf are divided at targets, stages, statements and messages', () => {
  const recipe = '\tsome --command --with "many words" --and-options\n'.repeat(2)
  expect(units('Makefile', `CC := gcc\n.PHONY: all\nall: a b\n${recipe}# Tests.\ntest:\n${recipe}`)).toEqual([
    '2 .PHONY, all',
    '6 test',
  ])
  const run = 'RUN some --command --with many words and options --again\n'.repeat(2)
  expect(units('Dockerfile', `FROM node:24 AS build\n${run}FROM scratch\n${run}`)).toEqual([
    '1 FROM node:24 AS build',
    '4 FROM scratch',
  ])
  const columns = `(\n${'  a_column text not null default 0,\n'.repeat(3)});\n`
  expect(units('db/schema.sql', `CREATE TABLE users ${columns}create index on users (id);\n`)).toEqual([
    '1 CREATE TABLE users',
    '6 create index on users',
  ])
  const fields = `{\n${'  string a_field_with_a_name = 1;\n'.repeat(3)}}\n`
  expect(units('x.proto', `syntax = "proto3";\nmessage User ${fields}service Users ${fields}`)).toEqual([
    '2 message User',
    '7 service Users',
  ])
})

test('a name that says nothing gives none, and a short file stays whole', () => {
  expect(units('notes.txt', '[a]\n[b]\n')).toEqual([])
  const { artifacts } = parseDocument({
    path: 'a.toml',
    language: 'generic',
    text: '[a]\nx = 1\n[b]\ny = 2\n',
  })
  expect(artifacts).toHaveLength(1)
})

test('the parts of a long file are its sections', () => {
  const text = `[first]\n${filler.repeat(20)}[second]\n${filler.repeat(20)}`
  const { artifacts } = parseDocument({ path: 'a.toml', language: 'generic', text })
  expect(artifacts.map(({ name }) => name)).toEqual(['a.toml', 'first', 'second'])
  expect(artifacts.map((artifact) => artifact.text).join('')).toBe(text)
})
