import { ValidationErrorsIBAN, validateIBAN } from 'ibantools'
import { plainIban } from './plain-iban.ts'

/**
 * Returns the electronic format of a typed IBAN, such as "DE89370400440532013000"; null if the text is not an IBAN or
 * its checksum is wrong. As in the database, national check digits are not checked, because some countries no longer
 * use them.
 */
export function toIban(typed: string): string | null {
  const iban = plainIban(typed)
  const faults = validateIBAN(iban).errorCodes
  return faults.some((fault) => fault !== ValidationErrorsIBAN.WrongAccountBankBranchChecksum) ? null : iban
}
