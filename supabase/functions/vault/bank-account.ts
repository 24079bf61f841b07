import { isSEPACountry } from 'ibantools'
import { BadInput } from '../_shared/bad-input.ts'
import { toIban } from '../_shared/iban.ts'
import { LIMITS } from '../_shared/limits.ts'
import { dataKeyOf, type StoredKey } from './data-keys.ts'
import { type Call, textOf } from './input.ts'
import { type Owner, seal } from './seal.ts'

/** The sealed part of a bank account. */
export interface BankAccount {
  iban: string
  holder: string
}

/** Stores the person's bank account `{ iban, holder }`. The IBAN is checked here, because nobody sees it afterwards. */
export async function saveBankAccount({ siteKeys, ask, store, body }: Call): Promise<unknown> {
  const account: BankAccount = {
    iban: ibanIn(textOf(body, 'iban')),
    holder: holderIn(textOf(body, 'holder')),
  }
  const place = (await ask('prepare_bank_account', {})) as {
    owner: Owner
    version: number
    key: StoredKey | null
  }
  const { key, fresh } = await dataKeyOf(siteKeys, place.key, place.owner)
  const id = crypto.randomUUID()
  return store('save_bank_account', {
    p_user_id: place.owner.id,
    p_id: id,
    p_version: place.version,
    p_last4: last4Of(account.iban),
    p_sealed: await seal(key, account, { kind: 'bank-account', id, version: place.version }),
    p_key: fresh,
  })
}

export const last4Of = (iban: string): string => iban.slice(-4)

/** Returns the IBAN in electronic format. Throws if it is missing, invalid or outside SEPA. */
export function ibanIn(typed: string): string {
  if (typed === '') throw new BadInput('iban_missing')
  const iban = toIban(typed)
  if (!iban) throw new BadInput('iban_invalid')
  if (!isSEPACountry(iban.slice(0, 2))) throw new BadInput('iban_outside_sepa')
  return iban
}

export function holderIn(typed: string): string {
  const holder = typed.replaceAll(/\s+/g, ' ')
  if (holder === '') throw new BadInput('account_holder_missing')
  if (holder.length > LIMITS.longestHolder) throw new BadInput('text_too_long', LIMITS.longestHolder)
  if (/\p{C}/u.test(holder)) throw new BadInput('character_invisible')
  if (!/[A-Za-z]/.test(inSepaLetters(holder))) throw new BadInput('account_holder_not_latin')
  return holder
}

/**
 * The letters that the banks of a country accept in addition to SEPA's letters. A bank elsewhere may refuse the whole
 * file because of one such letter.
 */
const ALSO_TAKEN: Record<string, string> = { DE: 'ÄÖÜäöüß' }

/**
 * Converts a name to letters that the payer's bank accepts: Latin letters, nearly everywhere without diacritics.
 * Letters that have no Latin form are dropped.
 */
export function inSepaLetters(name: string, ibanOfPayer = ''): string {
  const taken = ALSO_TAKEN[ibanOfPayer.slice(0, 2)] ?? ''
  return [...name.normalize('NFC').replaceAll('&', '+')]
    .map((letter) => (taken.includes(letter) ? letter : (LETTERS[letter] ?? letter.normalize('NFKD'))))
    .join('')
    .replaceAll(/[^A-Za-z0-9ÄÖÜäöüß/?:().,'+ -]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, LIMITS.longestHolder)
}

const LETTERS: Record<string, string> = {
  ...{ Æ: 'AE', æ: 'ae', Œ: 'OE', œ: 'oe', Ø: 'O', ø: 'o' },
  ...{ Đ: 'D', đ: 'd', Ł: 'L', ł: 'l', Þ: 'Th', þ: 'th', ß: 'ss' },
}
