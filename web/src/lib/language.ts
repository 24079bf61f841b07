// The language that people read. English stands in the sources; see web/language.
import { i18n } from '@lingui/core'

export const language = 'en'

i18n.loadAndActivate({ locale: 'en', messages: {} })

/** A text in English as the build has taken it apart: a string, or a list with the names of what is filled in. */
type English = string | readonly unknown[]

/** What the build makes of t`…` and plural(…): the message with this id in the language of the page, else in English. */
export const say = (id: string, english: English, values?: Record<string, unknown>): string =>
  i18n._({
    id,
    message: (typeof english === 'string' ? [english] : english) as unknown as string,
    ...(values && { values }),
  })
