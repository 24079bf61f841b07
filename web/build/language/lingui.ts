import { makeConfig } from '@lingui/conf'

/** What becomes of Lingui's macros: texts are English in the sources, and their ids are made of them. */
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

/** What uses the macros. */
export const MARKED = /@lingui\/(?:core|react)\/macro/

export const parserOpts = { plugins: ['typescript' as const, 'jsx' as const] }
