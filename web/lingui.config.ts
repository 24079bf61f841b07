import { defineConfig } from '@lingui/conf'

/** Every text that people read is English in the sources; `locales` has one file for each other language. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}',
      include: ['src', 'landing', 'first-sight'],
      exclude: ['**/*.test.*'],
    },
  ],
  orderBy: 'message',
  runtimeConfigModule: {
    i18n: ['#lib/language.ts', 'say'],
    Trans: ['#ui/Trans.tsx', 'Trans'],
    useLingui: ['@lingui/react', 'useLingui'],
  },
})
