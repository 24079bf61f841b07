const load = () => import('libphonenumber-js/min')

/** Loads the rules of all countries ahead of time, which only the form needs. A failure is ignored: checking loads them again. */
export const preparePhoneNumbers = () => void load().catch(() => undefined)

/** A phone number in E.164, from how people write it in their browser's country or with any country code; null if it is none. */
export async function toPhoneNumber(typed: string, language = navigator.language): Promise<string | null> {
  const { parsePhoneNumberFromString, isSupportedCountry } = await load()
  const region = new Intl.Locale(language).region ?? ''
  const number = parsePhoneNumberFromString(typed, isSupportedCountry(region) ? region : undefined)
  return number?.isValid() ? number.number : null
}
