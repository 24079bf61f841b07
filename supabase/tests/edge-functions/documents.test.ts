// Invoices and credit notes as Factur-X: a PDF/A whose XML satisfies its schema and the rules of EN 16931, for the
// people allowed to have it.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { extractXml } from '@stackforge-eu/factur-x'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { addAccount } from '../../../server/test/harness.ts'
import { drawable } from '../../functions/_shared/pdf.ts'
import { speechIn } from '../../functions/_shared/words/papers.ts'
import { type Invoice, xmlOf } from '../../functions/documents/invoice.ts'
import { switchInvoicesOn } from '../invoices.ts'
import { statements } from '../people.ts'
import { openTill } from '../till.ts'
import { HOSTS, type Host, openHost } from './hosts.ts'

const require = createRequire(import.meta.url)
const folder = join(dirname(require.resolve('@stackforge-eu/factur-x')), '../schema/en16931')
const [schema, ...preload] = readdirSync(folder)
  .sort((a, b) => a.length - b.length)
  .map((fileName) => ({ fileName, contents: readFileSync(join(folder, fileName), 'utf8') }))
if (!schema) throw new Error('The library ships no schema')
const faultsIn = async (contents: string) =>
  (await validateXML({ xml: { fileName: 'invoice.xml', contents }, schema, preload })).errors

/** Returns the broken rules of EN 16931 about sums (BR-CO-10 to 17) and about the identification of both sides. */
function breaches(xml: string): string[] {
  const all = (name: string) =>
    [...xml.matchAll(new RegExp(`<ram:${name}[^>]*>([^<]*)<`, 'g'))].map(([, text]) => text)
  const sum = (name: string) => Math.round(all(name).reduce((total, text) => total + Number(text), 0) * 100)
  const [category] = all('CategoryCode')
  const rate = Number(all('RateApplicablePercent').at(-1))
  const rules = {
    'BR-CO-13': sum('TaxBasisTotalAmount') === sum('BasisAmount'),
    'BR-CO-14': sum('TaxTotalAmount') === sum('CalculatedAmount'),
    'BR-CO-15': sum('GrandTotalAmount') === sum('TaxBasisTotalAmount') + sum('TaxTotalAmount'),
    'BR-CO-16': sum('DuePayableAmount') === sum('GrandTotalAmount') - sum('TotalPrepaidAmount'),
    'BR-CO-17': Math.abs(sum('CalculatedAmount') - Math.round((sum('BasisAmount') * rate) / 100)) <= 1,
    'BR-CO-26': /schemeID="VA"|<ram:SellerTradeParty><ram:ID>/.test(xml),
    'BR-O-02': category !== 'O' || !xml.includes('schemeID="VA"'),
    'BR-E-10, BR-O-10': category === 'S' || all('ExemptionReason').join('') !== '',
    'PEPPOL-EN16931-R008': !/<([\w:]+)[^>]*><\/\1>/.test(xml),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : rule))
}

const seller = {
  name: 'A & <B>',
  street: 'Main St 1',
  postcode: '1',
  town: 'Wien',
  country: 'AT',
  sentence: 'Nach § 6 UStG ohne USt.',
}
const row = {
  number: '2026-000001',
  issued_at: '2026-11-26T23:30:00Z',
  paid_at: '2026-11-26T01:00:00Z',
  plan_name: '"Dis & <Plus>"',
}

test.each([
  ['S', 'ATU12345678', 0.255, 0.5, 0.1, false],
  ['S', '12 345/6789', 0.19, 0.07, 0.01, true],
  ['E', 'RSSMRA85T10A562S', 0, 0.5, 0, false],
  ['E', '12 345/6789', 0, 0.5, 0, false],
  ['O', 'ATU12345678', 0, 0.5, 0, true],
] as const)(
  'a document of category %s by %s is valid, with all its letters',
  async (category, vat_number, vat_rate, gross, vat, isCreditNote) => {
    const invoice: Invoice = {
      ...row,
      ...{ period: 1, gross, vat, net: Math.round((gross - vat) * 100) / 100, category, vat_rate },
      ...{ buyer_name: 'Zoë', buyer_country: 'FI', seller: { ...seller, mode: 'oss', vat_number } },
      ...{ corrects: null, language: null },
    }
    const xml = xmlOf({ ...invoice, corrects: isCreditNote ? invoice : null })
    expect([await faultsIn(xml), breaches(xml)]).toEqual([[], []])
    expect(xml).toContain(`<ram:TypeCode>${isCreditNote ? 381 : 380}<`)
    expect(xml).toContain('&quot;Dis &amp; &lt;Plus&gt;&quot;')
    expect(xml.includes('schemeID="VA"')).toBe(vat_number.startsWith('AT') && category !== 'O')
  },
)

test('what a paper says is in letters that its font has, no word is wider than a column, and plans have their names', () => {
  expect(['de', null].map((language) => speechIn(language).plan('Dis (12 months)'))).toEqual([
    'Dis (12 Monate)',
    'Dis (12 months)',
  ])
  for (const plain of ['Ελλάδα, Zoë & <Жанна> ș “€1.50” −2', 'Hauptstraße\n1'])
    expect(drawable(plain)).toBe(plain)
  expect(drawable('1\u202F234 王小明 אבג 😀 Zoe\u0308')).toMatch(/^1 234 WangXiaoMing [ -~]+ [ -~]+ Zoë$/)
  expect(drawable('w'.repeat(50)).split('\u200B')).toEqual(['w'.repeat(24), 'w'.repeat(24), 'ww'])
})

describe.each(HOSTS)('the function documents in %s', (name) => {
  let host: Host
  beforeAll(async () => {
    host = await openHost(name, 'documents', {})
  })
  afterAll(() => host.close())

  test('draws the invoice of whoever is signed in, in their language, and nobody else’s', async () => {
    const { db } = host.server
    const { sql, run } = statements(db)
    const [marc, zoe] = await Promise.all(
      ['marc', 'zoe'].map((who) => addAccount(host.server, `${who}@potluck.example`)),
    )
    const till = await openTill(db)
    const owner = await till.payer('Olivia')
    await switchInvoicesOn({ run })
    await sql`select record_customer(${marc?.id}, 'cus'), record_card('cus', 'pm', 'visa', '4242', 12, 2040, true, p_country => 'FR')`
    await sql`update user_profiles set language = 'de' where user_id = ${marc?.id}`
    const plan = await till.share(owner)
    const place = [plan.id, marc?.id ?? '']
    await run(
      `insert into subscription_requests (subscription_id, user_id, begins_at_once_at, status, decided_at)
        values ($1, $2, now(), 'approved', now())`,
      place,
    )
    await run('select private.add_member($1, $2, false)', place)
    await till.work()
    await till.due()
    const [made] = await sql<{
      id: string
      number: string
    }>`select id, number from fee_invoices where evidence ->> 'card' = 'FR'`
    const ask = (paper: string, token = '') =>
      host.call({
        path: `/${paper}`,
        body: JSON.stringify({ id: made?.id }),
        headers: { Authorization: `Bearer ${token}` },
      })
    const answer = await ask('invoice', marc?.accessToken)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const pdf = Buffer.from(await answer.arrayBuffer())
    const { xml, filename } = await extractXml(pdf)
    expect(filename).toBe('factur-x.xml')
    expect(xml).toContain(`<ram:ID>${made?.number}</ram:ID>`)
    expect([await faultsIn(xml), breaches(xml)]).toEqual([[], []])
    expect(await faultsIn(xml.replace('ram:CountryID', 'ram:Country'))).not.toEqual([])
    expect(pdf.toString('latin1')).toMatch(/pdfaid:part>3</)
    expect((await ask('invoice', zoe?.accessToken)).status).toBe(404)
    expect((await ask('invoice')).status).toBe(401)
    expect((await ask('statement', marc?.accessToken)).status).toBe(404)
  })
})
