/** Bank accounts. The database has the last word; asking the same rules here first spares people a refusal. */
import { electronicFormatIBAN, friendlyFormatIBAN, isValidIBAN } from 'ibantools'

/** What was typed as banks exchange it, "DE89370400440532013000"; null where it is no IBAN or its checksum is wrong. */
export function toIban(typed: string): string | null {
  const iban = electronicFormatIBAN(typed)
  return iban && isValidIBAN(iban) ? iban : null
}

/** In groups of four, as it stands on a card. */
export const formatIban = (iban: string): string => friendlyFormatIBAN(iban) ?? iban
