// A site that issues invoices for its fee.
import type { Asker } from './people.ts'

const SELLER = `name = 'Potluck & Söhne', street = 'Hauptstraße 1', postcode = '10115', town = 'Berlin', country = 'DE',
  vat_number = 'DE123456789', sentence = 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.'`

/** Turns invoices on, taxed in this way. */
export const switchInvoicesOn = ({ run }: Pick<Asker, 'run'>, mode: 'small' | 'home' | 'oss' = 'oss') =>
  run(`update vat_settings set mode = '${mode}', ${SELLER}`)
