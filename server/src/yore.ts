// What does the service use of yore? This door and nothing behind it: its public API and its table of operations.

export { defaultSettings, type Engine, openEngine, type Settings, YoreError } from '../../src/index.ts'
