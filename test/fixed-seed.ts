// Which random inputs do the property tests try? The same ones on every run, so that a red test is about the change; YORE_SLOW=1 tries new ones.
import fc from 'fast-check'

if (process.env['YORE_SLOW'] !== '1') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_115 })
