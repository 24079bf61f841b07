import { makeConfig } from '@lingui/conf'

/** Settings of Lingui's macros: English texts are in the sources, and message ids are generated from them. */
export const linguiConfig = makeConfig(
  {
    sourceLocale: 'en',
    locales: ['en'],
    runtimeConfigModule: {
      i18n: ['#lib/language.ts', 'say'],
      Trans: ['#ui/Trans.tsx', 'Trans'],
      useLingui: ['@lingui/react', 'useLingui'],
    },
  },
  { skipValidation: true },
)

/** Matches source files that use the macros. */
export const MARKED = /@lingui\/(?:core|react)\/macro/

export const parserOpts = { plugins: ['typescript' as const, 'jsx' as const] }
