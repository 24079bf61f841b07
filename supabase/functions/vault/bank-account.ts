import { isSEPACountry, ValidationErrorsIBAN, validateIBAN } from 'ibantools'
import { plainIban } from '../_shared/iban.ts'
import { LIMITS } from '../_shared/limits.ts'
import { dataKeyOf, type StoredKey } from './data-keys.ts'
import { BadInput, type Call, textOf } from './input.ts'
import { type Owner, seal } from './seal.ts'

/** The sealed part of a bank account. */
export interface BankAccount {
  iban: string
  holder: string
}

/** Stores a person's bank account: `{ iban, holder }`. The IBAN is checked here, because nobody sees it afterwards. */
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
    p_last4: account.iban.slice(-4),
    p_sealed: await seal(key, account, { kind: 'bank-account', id, version: place.version }),
    p_key: fresh,
  })
}

/** The IBAN in electronic format. */
export function ibanIn(typed: string): string {
  const iban = plainIban(typed)
  // National check digits, which are older than the IBAN, are not checked, as in the database.
  const faults = validateIBAN(iban).errorCodes.filter(
    (code) => code !== ValidationErrorsIBAN.WrongAccountBankBranchChecksum,
  )
  if (iban === '') throw new BadInput('Enter your IBAN')
  if (faults.length > 0) throw new BadInput(wrongWith(faults))
  if (!isSEPACountry(iban.slice(0, 2)))
    throw new BadInput('Euros can only be paid to an account in a country of the SEPA area')
  return iban
}

function wrongWith(codes: ValidationErrorsIBAN[]): string {
  if (codes.includes(ValidationErrorsIBAN.NoIBANCountry)) return 'An IBAN starts with a country, such as DE'
  if (codes.includes(ValidationErrorsIBAN.WrongBBANLength)) return 'This IBAN is too short or too long'
  return 'This IBAN cannot be right: its check digits do not fit. Please compare it with your card or statement.'
}

export function holderIn(typed: string): string {
  const holder = typed.replaceAll(/\s+/g, ' ')
  if (holder === '') throw new BadInput('Enter the account holder')
  if (holder.length > LIMITS.longestHolder)
    throw new BadInput(`The name of the account's holder can be at most ${LIMITS.longestHolder} characters`)
  if (/\p{C}/u.test(holder)) throw new BadInput('The name holds a character that cannot be seen')
  if (!/[A-Za-z]/.test(inSepaLetters(holder)))
    throw new BadInput('Write the name in Latin letters, as your bank does in payments to other countries')
  return holder
}

/**
 * By country: letters that its banks accept besides SEPA's letters. A bank elsewhere may refuse the whole file for one
 * such letter.
 */
const ALSO_TAKEN: Record<string, string> = { DE: 'ÄÖÜäöüß' }

/**
 * A name as the bank of the payer's account accepts it: Latin letters, nearly everywhere without diacritics. Letters
 * that have no Latin form are dropped.
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
