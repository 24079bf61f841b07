// The language of the page: what its address begins with, English where that is no language. It stays as long as the page is
// open, so texts may be made once; choosing another one opens the page anew.
import { i18n, type Messages } from '@lingui/core'
import { idOf, type Taken } from './message-id.ts'

export const ENGLISH = 'en'

/** Their messages, of all but English, which stands in the sources: see web/language. */
const catalogs = import.meta.glob<Messages>('../../locales/*.po', { import: 'default' })

/** Codes of the languages there are (BCP 47), English first. */
export const languages = [ENGLISH, ...Object.keys(catalogs).map((file) => file.replace(/.*\/|\.po$/g, ''))]

/** The build draws pages in each of them, without a document. */
export const language =
  typeof document === 'undefined'
    ? (globalThis.LANGUAGE ?? ENGLISH)
    : document.documentElement.lang || ENGLISH

/** What addresses begin with: "/de", nothing in English. */
export const languagePrefix = language === ENGLISH ? '' : `/${language}`

/** The address of a page of the app, for what the router does not lead to. */
export const addressOf = (path: string) => (path === '/' ? languagePrefix || '/' : languagePrefix + path)

/** For dates, which in English are written the European way. */
export const dateLocale = language === ENGLISH ? 'en-GB' : language

const load = catalogs[`../../locales/${language}.po`]
i18n.loadAndActivate({ locale: language, messages: load ? await load() : {} })

/** A message as Lingui takes it: with the id by which the language of the page knows it, which English does without. */
export const messageOf = (english: Taken, id?: string) => ({
  id: language === ENGLISH ? '' : (id ?? idOf(english)),
  message: (typeof english === 'string' ? [english] : english) as unknown as string,
})

/** What the build makes of t`…` and plural(…): the text in the language of the page. A text with a context has an id of its own. */
export const say = (english: Taken, values?: Record<string, unknown>, id?: string): string =>
  i18n._({ ...messageOf(english, id), ...(values && { values }) })
