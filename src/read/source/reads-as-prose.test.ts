// Which texts are prose, and which are code or configuration?
import { expect, test } from 'vitest'
import { readsAsProse } from './reads-as-prose.ts'

test.each<[string, string]>([
  ['sentences', 'Call before you visit the house.\nThe door is open, and the key lies below the mat.\n'],
  [
    'an AsciiDoc page',
    "git-x(1)\n========\n\nNAME\n----\ngit-x - Does it\n\nSYNOPSIS\n--------\n[verse]\n'git x' [--all] <path>\n",
  ],
  ['a man page', '.\\" a comment\n.TH x 3\n.SH NAME\nx \\- does it\n.nf\nint x(void);\nint y(void);\n.fi\n'],
  [
    'options with a header',
    'c: Copyright (C) x\nLong: append\nShort: a\n---\nMakes the transfer append to the target file instead of\noverwriting it.\n',
  ],
  ['a list of terms', 'remote.name::\n\tThe name of the remote that is used by default here.\n'],
  ['Chinese', '本文档介绍如何安装和使用这个程序。\n请先阅读说明。\n'],
  ['one word', 'hello'],
  ['nothing', ''],
])('%s is prose', (_, text) => {
  expect(readsAsProse(text)).toBe(true)
})

test.each<[string, string]>([
  ['a Makefile', 'CC = gcc\nall: x\n\nx: x.o\n\t$(CC) -o $@ $<\n\nclean:\n\trm -f x\n'],
  [
    'configuration that explains itself',
    '# The port that the server listens on, for all clients of it.\nport 6379\n# The addresses that it binds to.\nbind 127.0.0.1\n',
  ],
  ['YAML', 'name: x\non:\n  push:\n    branches: [main]\njobs:\n  build:\n    steps:\n      - run: make\n'],
  ['a script', '#!/bin/sh\nprints a line of words that reads like prose\n'],
  [
    'a C header under its licence',
    '/*\n * Some words of a licence that is long and\n * says what may be done with this file.\n */\n#ifndef X_H\n#define X_H\nint x(int a, int b);\n#endif\n',
  ],
  ['JSON', '{\n  "summary": "Returns the members of a set that is stored at key",\n  "group": "set"\n}\n'],
  [
    'code that documents itself in triple quotes',
    `def put(store) do\n  store\nend\n\n@doc """\n${'Puts a parcel into the room that it belongs to.\n'.repeat(20)}"""\n`,
  ],
  ['SQL', 'SELECT a, b\nFROM t\nWHERE a = 1;\nINSERT INTO t VALUES (1, 2);\n'],
])('%s is not', (_, text) => {
  expect(readsAsProse(text)).toBe(false)
})
