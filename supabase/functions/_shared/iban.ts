import { ValidationErrorsIBAN, validateIBAN } from 'ibantools'
import { plainIban } from './plain-iban.ts'

/**
 * The electronic format of a typed IBAN, "DE89370400440532013000"; null if it is not one or its checksum is wrong. As
 * in the database, national check digits that a country no longer uses are not checked.
 */
export function toIban(typed: string): string | null {
  const iban = plainIban(typed)
  const faults = validateIBAN(iban).errorCodes
  return faults.some((fault) => fault !== ValidationErrorsIBAN.WrongAccountBankBranchChecksum) ? null : iban
}
