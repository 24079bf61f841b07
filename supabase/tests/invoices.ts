// A site whose operator is named, and one that issues invoices for its fee.
import type { Asker } from './people.ts'

/** Gives the operator everything that an imprint, a receipt and an invoice need. */
export const nameOperator = ({ run }: Pick<Asker, 'run'>) =>
  run(`update operator set name = 'Potluck & Söhne', street = 'Hauptstraße 1', postcode = '10115', town = 'Berlin', country = 'DE',
    email = 'us@potluck.example', vat_number = 'DE123456789'`)

/** Turns invoices on, taxed in this way. */
export async function switchInvoicesOn(by: Pick<Asker, 'run'>, mode: 'small' | 'home' | 'oss' = 'oss') {
  await nameOperator(by)
  await by.run(
    `update vat_settings set mode = '${mode}', sentence = 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.'`,
  )
}
