const load = () => import('libphonenumber-js/min')

/** Loads what knows the numbers of all countries, which only the form needs; where that fails, checking tries again. */
export const preparePhoneNumbers = () => void load().catch(() => undefined)

/** A phone number in E.164, as people write it in the country their browser is set to or with any country code. */
export async function toPhoneNumber(typed: string, language = navigator.language): Promise<string | null> {
  const { parsePhoneNumberFromString, isSupportedCountry } = await load()
  const region = new Intl.Locale(language).region ?? ''
  const number = parsePhoneNumberFromString(typed, isSupportedCountry(region) ? region : undefined)
  return number?.isValid() ? number.number : null
}
