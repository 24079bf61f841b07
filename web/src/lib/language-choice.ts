import { ENGLISH, language, languagePrefix } from './language.ts'
import { local, storageKeys, write } from './storage.ts'

/** What its speakers call a language. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

/** Opens the page in this language, and every page after it: public/start.js leads there. */
export function openIn(code: string): void {
  write(local, storageKeys.language, code)
  if (code === language) return
  const { pathname, search, hash } = window.location
  const path = pathname.slice(languagePrefix.length) || '/'
  window.location.assign((code === ENGLISH ? path : `/${code}${path === '/' ? '' : path}`) + search + hash)
}
