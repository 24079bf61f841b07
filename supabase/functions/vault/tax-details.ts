import { BadInput } from '../_shared/bad-input.ts'
import { LIMITS } from '../_shared/limits.ts'
import { dataKeyOf, openStoredKey, type StoredKey } from './data-keys.ts'
import { type Call, sentAs, textOf } from './input.ts'
import { type Owner, open, type Sealed, seal } from './seal.ts'

/** The sealed part of a person's tax details. The place of birth is set only if there is no tax number. */
export interface TaxDetails {
  firstName: string
  lastName: string
  /** YYYY-MM-DD. */
  birthDate: string
  street: string
  postcode: string
  town: string
  country: string
  taxNumbers: { number: string; country: string }[]
  vatNumber?: string
  birthTown?: string
  birthCountry?: string
}

interface SealedDetails {
  id: string
  version: number
  sealed: Sealed
}

interface Place {
  owner: Owner
  version: number
  key: StoredKey | null
  current: SealedDetails | null
}

/** Stores a person's tax details. All fields are checked here, because nobody sees them before they are reported. */
export async function saveTaxDetails({ siteKeys, ask, store, body }: Call): Promise<unknown> {
  const details = detailsIn(body)
  const place = (await ask('prepare_tax_details', {})) as Place
  const { key, fresh } = await dataKeyOf(siteKeys, place.key, place.owner)
  const id = crypto.randomUUID()
  return store('save_tax_details', {
    p_user_id: place.owner.id,
    p_id: id,
    p_version: place.version,
    p_country: details.country,
    p_sealed: await seal(key, details, { kind: 'tax-details', id, version: place.version }),
    p_key: fresh,
  })
}

/** Returns the caller's stored details; null if there are none yet. */
export async function showTaxDetails({ siteKeys, ask }: Call): Promise<{ details: TaxDetails | null }> {
  const { owner, key, current } = (await ask('prepare_tax_details', {})) as Place
  if (!key || !current) return { details: null }
  return { details: await openTaxDetails(await openStoredKey(siteKeys, key, owner), current) }
}

export const openTaxDetails = (key: CryptoKey, { id, version, sealed }: SealedDetails) =>
  open<TaxDetails>(key, sealed, { kind: 'tax-details', id, version })

function fieldIn(body: unknown, name: string, longest: number = LIMITS.longestAddressLine): string {
  const text = textOf(body, name).replaceAll(/\s+/g, ' ')
  if (text === '' || text.length > longest) throw new BadInput('text_length_out_of_range', longest)
  if (/\p{C}/u.test(text)) throw new BadInput('character_invisible')
  return text
}

function countryIn(body: unknown, name: string): string {
  const country = textOf(body, name)
  if (!/^[A-Z]{2}$/.test(country)) throw new BadInput('country_missing')
  return country
}

function detailsIn(body: unknown): TaxDetails {
  const listed = sentAs(body, 'taxNumbers')
  const taxNumbers = (Array.isArray(listed) ? listed : []).map((one) => ({
    number: fieldIn(one, 'number', LIMITS.longestTaxNumber),
    country: countryIn(one, 'country'),
  }))
  if (taxNumbers.length > LIMITS.mostTaxNumbers)
    throw new BadInput('too_many_tax_numbers', LIMITS.mostTaxNumbers)
  return {
    firstName: fieldIn(body, 'firstName'),
    lastName: fieldIn(body, 'lastName'),
    birthDate: birthDateIn(body),
    street: fieldIn(body, 'street'),
    postcode: fieldIn(body, 'postcode', LIMITS.longestPostcode),
    town: fieldIn(body, 'town'),
    country: countryIn(body, 'country'),
    taxNumbers,
    ...(textOf(body, 'vatNumber') !== '' && {
      vatNumber: fieldIn(body, 'vatNumber', LIMITS.longestVatNumber),
    }),
    // The directive (DAC7) requires the place of birth only if there is no tax number.
    ...(taxNumbers.length === 0 && {
      birthTown: fieldIn(body, 'birthTown'),
      birthCountry: countryIn(body, 'birthCountry'),
    }),
  }
}

function birthDateIn(body: unknown): string {
  const day = textOf(body, 'birthDate')
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
  if (!isDay || day < '1900' || time > Date.now()) throw new BadInput('birth_date_invalid')
  return day
}
