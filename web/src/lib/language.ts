// The language of the page: the prefix of its path, or English without a prefix. It cannot change while the page is
// open, so texts may be created once; choosing another language loads a new page.
import { i18n, type Messages } from '@lingui/core'
import { idOf, type Taken } from './message-id.ts'

export const ENGLISH = 'en'

/**
 * Catalogs of all languages but English, whose texts are in the sources: see web/build/language. The build divides them
 * into parts (language-parts.ts); until then they are whole.
 */
const catalogs = import.meta.glob<Messages>('../../locales/*.po', { import: 'default' })

/** Codes of the available languages (BCP 47), English first. */
export const languages = [ENGLISH, ...Object.keys(catalogs).map((file) => file.replace(/.*\/|\.po$/g, ''))]

/** The build, which has no document, sets LANGUAGE. */
export const language =
  typeof document === 'undefined'
    ? (globalThis.LANGUAGE ?? ENGLISH)
    : document.documentElement.lang || ENGLISH

/** The prefix of paths in this language: "/de", or empty for English. */
export const languagePrefix = language === ENGLISH ? '' : `/${language}`

/** Returns the path of a page with the language prefix, for links that the router does not handle. */
export const addressOf = (path: string) => (path === '/' ? languagePrefix || '/' : languagePrefix + path)

/** The locale for dates; English dates are written as in Britain. */
export const dateLocale = language === ENGLISH ? 'en-GB' : language

const load = catalogs[`../../locales/${language}.po`]
i18n.loadAndActivate({ locale: language, messages: load ? await load() : {} })

/** Returns a message in the form that Lingui expects, with its id in the catalogs; English needs no id. */
export const messageOf = (english: Taken, id?: string) => ({
  id: language === ENGLISH ? '' : (id ?? idOf(english)),
  message: (typeof english === 'string' ? [english] : english) as unknown as string,
})

/**
 * The build compiles t`…` and plural(…) to this. Returns the text in the page's language; `id` is for texts with a
 * context.
 */
export const say = (english: Taken, values?: Record<string, unknown>, id?: string): string =>
  i18n._({ ...messageOf(english, id), ...(values && { values }) })
