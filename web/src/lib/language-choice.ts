import { ENGLISH, language, languagePrefix } from './language.ts'
import { local, storageKeys, write } from './storage.ts'

/** The name of a language in that language. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

/** Opens this page in a language. public/start.js then opens every later page in it. */
export function openIn(code: string): void {
  write(local, storageKeys.language, code)
  if (code === language) return
  const { pathname, search, hash } = window.location
  const path = pathname.slice(languagePrefix.length) || '/'
  window.location.assign((code === ENGLISH ? path : `/${code}${path === '/' ? '' : path}`) + search + hash)
}
