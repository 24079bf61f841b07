// The payment file: access to it, its contents, and that nothing is paid to a manipulated account.
// Proves CLOCK 03
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { moveCoins } from '../coins.ts'
import { signedInWith } from '../people.ts'
import { HOSTS } from './hosts.ts'
import { type Account, asking, IBAN, openVault, randomKey, type Vault } from './vault-host.ts'

const FRENCH = 'FR1420041010050500013M02606'
const PAYER = {
  PAYOUT_IBAN: 'NL91ABNA0417164300',
  PAYOUT_HOLDER: 'Potluck & Co',
  PAYOUT_TOWN: "'s-Hertogenbosch",
  PAYOUT_COUNTRY: 'NL',
}
const schema = readFileSync(new URL('credit-transfers.xsd', import.meta.url), 'utf8')
const check = (contents: string) => validateXML({ xml: { fileName: 'file.xml', contents }, schema })

const key = randomKey()

describe.each(HOSTS)('a payment file by the function vault in %s', (name) => {
  let vault: Vault
  let ada: Account
  let olivia: Account
  let marc: Account
  let withdrawals: string[]
  let file: unknown
  const sql = (text: string, values: string[] = []) => vault.server.db.query(text, values)
  const asAda = () => signedInWith(vault.server.db, { ...ada, email: '' }, ['password'])
  async function withdraw({ id }: Account, amount: string): Promise<string> {
    await moveCoins(vault.server.db, { id }, 'earned', amount)
    const [row] = await sql(
      `insert into withdrawal_requests (user_id, amount, bank_account_id)
       select $1, $2::numeric, a.id from private.current_bank_account($1) as a returning id`,
      [id, amount],
    )
    return String(row?.id)
  }
  beforeAll(async () => {
    vault = await openVault(name, { ...PAYER, VAULT_KEY: key })
    ada = await vault.addPerson('Ada', 'admin')
    olivia = await vault.addPerson('Olivia')
    marc = await vault.addPerson('Marc')
    const save = ({ accessToken }: Account, iban: string, holder: string) =>
      vault.ask('bank-account', { iban, holder }, accessToken)
    await save(olivia, FRENCH, 'Before')
    await save(olivia, IBAN, 'Olivia "Ö" Großmann')
    await save(marc, FRENCH, 'Marc <Ștefan Æ>')
    // One after the other, because the file lists withdrawals in the order of their requests.
    withdrawals = [await withdraw(olivia, '20.10'), await withdraw(marc, '1234.20')]
    await sql(`update private.bank_accounts set created_at = now() - interval '25 hours'`)
    await sql(`update withdrawal_requests set status = 'processing'`)
    file = Number((await asAda().sql`select create_payout_file(${`{${withdrawals}}`}) as id`)[0]?.id)
  })
  afterAll(() => vault.close())

  const download = (token = ada.accessToken, id = file) => vault.ask('payout-file', { file: id }, token)
  const entries = () =>
    sql('select voided, written from private.payout_file_entries where file_id = $1', [String(file)])
  const openings = () => sql(`select opened_by, purpose from private.vault_openings order by id`)

  test('pays each person what they asked for, and is valid', async () => {
    const { status, body } = await download()
    expect([status, body.name]).toEqual([200, `potluck-payouts-${file}.xml`])
    const contents = String(body.xml)
    expect((await check(contents)).errors).toEqual([])
    const all = (element: string) =>
      [...contents.matchAll(new RegExp(`<${element}[^>]*>([^<]*)<`, 'g'))].map(([, text]) => text)
    expect(all('IBAN')).toEqual([PAYER.PAYOUT_IBAN, IBAN, FRENCH])
    expect(all('Nm').slice(1)).toEqual(['Potluck + Co', 'Olivia O Grossmann', 'Marc Stefan AE'])
    expect(all('InstdAmt')).toEqual(['20.10', '1234.20'])
    expect(all('CtrlSum')).toEqual(['1254.30', '1254.30'])
    expect([all('TwnNm'), all('Ctry'), all('AdrLine')]).toEqual([["'s-Hertogenbosch"], ['NL'], []])
    expect(all('EndToEndId')).toEqual(withdrawals.map((id) => id.replaceAll('-', '')))
  })

  test("keeps the letters that the banks of the payer's country have agreed on", async () => {
    const german = await vault.beside({ ...PAYER, PAYOUT_IBAN: IBAN, VAULT_KEY: key })
    const { body } = await asking(german.call)('payout-file', { file }, ada.accessToken)
    expect((await check(String(body.xml))).errors).toEqual([])
    for (const name of ['Olivia Ö Großmann', 'Marc Stefan AE']) expect(body.xml).toContain(`<Nm>${name}</Nm>`)
    await german.close()
  })

  test('is known to the bank by ids that no other site gives, and is to be paid no earlier than today', async () => {
    await sql(`update private.payout_files set created_at = created_at - interval '9 days' where id = $1`, [
      String(file),
    ])
    const xml = String((await download()).body.xml)
    await sql(`update private.payout_files set created_at = created_at + interval '9 days' where id = $1`, [
      String(file),
    ])
    const first = [...withdrawals].sort()[0]?.replaceAll('-', '')
    const reference = `${file}-${first}`.slice(0, 35)
    for (const id of ['MsgId', 'PmtInfId']) expect(xml).toContain(`<${id}>${reference}</${id}>`)
    const today = new Date().toLocaleDateString('sv', { timeZone: 'Europe/Brussels' })
    expect(xml).toContain(`<ReqdExctnDt><Dt>${today}</Dt></ReqdExctnDt>`)
  })

  test('the schema says no to a file with anything missing, out of order or in excess', async () => {
    const xml = String((await download()).body.xml)
    for (const contents of [
      xml.replace(/<CtrlSum>[^<]*<\/CtrlSum>/, ''),
      xml.replace('Ccy="EUR"', ''),
      xml.replace(IBAN, 'DE'),
      xml.replace('20.10', '20.101'),
      xml.replace(/(<CdtrAcct>.*?<\/CdtrAcct>)/, '$1$1'),
      xml.replace(/<TwnNm>.*<\/TwnNm>/, '<AdrLine>A town</AdrLine>'),
      xml.replace(/<MsgId>/, '<MsgId>123456'),
      xml.replace('pain.001.001.09"', 'pain.001.001.03"'),
    ]) {
      expect(contents).not.toBe(xml)
      expect((await check(contents)).valid).toBe(false)
    }
  })

  test('is the same each time, and each time counts as opening its accounts', async () => {
    const before = await openings()
    expect(await download()).toEqual(await download())
    const opening = { opened_by: ada.id, purpose: `payment file ${file}` }
    expect((await openings()).slice(before.length)).toEqual([opening, opening, opening, opening])
  })

  test('is for admins with a fresh proof, of withdrawals that are not their own', async () => {
    const before = await openings()
    expect(await download(await vault.grownOld(ada))).toMatchObject({ status: 403, body: { code: 'PT403' } })
    const mona = await vault.addPerson('Mona', 'moderator')
    for (const { accessToken } of [olivia, mona]) expect((await download(accessToken)).status).toBe(403)
    await sql(`insert into user_roles (user_id, role) values ($1, 'admin')`, [marc.id])
    expect((await download(marc.accessToken)).status).toBe(403)
    await sql('delete from user_roles where user_id = $1', [marc.id])
    expect((await download(ada.accessToken, 999_999)).status).toBe(404)
    expect((await download(ada.accessToken, 'one')).status).toBe(400)
    expect(await openings()).toEqual(before)
  })

  // An attacker with write access to the database cannot redirect other people's money.
  const [OLIVIA, MARC] = ['user_id = $1', 'user_id = $2']
  const seal = (sealed: string) => `update private.bank_accounts set sealed = ${sealed} where ${OLIVIA}`
  const sealedOf = (where: string) => `(select sealed from private.bank_accounts where ${where})`
  test.each([
    ['the ciphertext of another person', seal(sealedOf(MARC))],
    ['the ciphertext of an earlier version', seal(sealedOf(`${OLIVIA} and version = 1`))],
    [
      'one character changed',
      seal(`overlay(sealed placing case substr(sealed, 30, 1) when 'x' then 'y' else 'x' end from 30)`),
    ],
    [
      'the account of another person',
      `update withdrawal_requests set bank_account_id = (select id from private.bank_accounts where ${MARC}) where ${OLIVIA}`,
    ],
    [
      'an earlier account that says it is this one',
      `update private.bank_accounts set last4 = '2606' where ${OLIVIA}`,
    ],
    [
      'the data key of another person',
      `update private.vault_keys set wrapped = (select wrapped from private.vault_keys where person_id = $2) where person_id = $1`,
    ],
    [
      'account and data key of another person',
      `with key as (delete from private.vault_keys where person_id = $1) update private.bank_accounts set user_id = $1 where ${MARC}`,
    ],
  ])('leaves out %s, and tells staff whose it is', async (_what, change) => {
    const kept = ['private.bank_accounts', 'private.vault_keys', 'public.withdrawal_requests']
    for (const table of kept) await sql(`create table kept_${table.split('.')[1]} as select * from ${table}`)
    await sql('alter table private.bank_accounts drop constraint if exists bank_accounts_user_id_version_key')
    try {
      await sql(change, change.includes('$2') ? [olivia.id, marc.id] : [olivia.id])
      const { status, body } = await download()
      expect([status, body.leftOut]).toEqual([
        200,
        [{ name: expect.stringMatching(/^olivia/), amount: '20.10' }],
      ])
      expect((await check(String(body.xml))).errors).toEqual([])
      expect([String(body.xml)].flatMap((xml) => xml.match(/(?<=<(?:CtrlSum|IBAN)>)[^<]*/g))).toEqual([
        ...['1234.20', '1234.20', PAYER.PAYOUT_IBAN, FRENCH],
      ])
      // The entries are not voided: the bank may have them from an earlier download.
      expect(await entries()).toEqual(Array(2).fill({ voided: false, written: true }))
    } finally {
      await sql('delete from private.vault_keys')
      await sql('insert into private.vault_keys select * from kept_vault_keys')
      await sql(`update private.bank_accounts as b set user_id = k.user_id, sealed = k.sealed, last4 = k.last4
        from kept_bank_accounts as k where k.id = b.id`)
      await sql(`update withdrawal_requests as w set bank_account_id = k.bank_account_id
        from kept_withdrawal_requests as k where k.id = w.id`)
      for (const table of kept) await sql(`drop table kept_${table.split('.')[1]}`)
    }
    expect(await download()).toMatchObject({ status: 200, body: { leftOut: [] } })
  })

  test('no longer pays what did not open at its first download', async () => {
    const asAdmin = asAda()
    await asAdmin.sql`select void_payout_file(${String(file)}, 'Once more')`
    const made = await asAdmin.sql<{ id: string }>`select create_payout_file(${`{${withdrawals}}`}) as id`
    file = Number(made[0]?.id)
    const [kept] = await sql(
      'select id, sealed from private.bank_accounts where user_id = $1 and version = 2',
      [olivia.id],
    )
    await sql(seal("'v1.made.up'"), [olivia.id])
    expect((await download()).body.leftOut).toEqual([
      { name: expect.stringMatching(/^olivia/), amount: '20.10' },
    ])
    await sql('update private.bank_accounts set sealed = $1 where id = $2', [
      String(kept?.sealed),
      String(kept?.id),
    ])
    expect((await download()).body).toMatchObject({ leftOut: [], xml: expect.not.stringContaining(IBAN) })
    expect(await asAdmin.sql`select payments, amount::text from list_payout_files(1)`).toEqual([
      { payments: 1, amount: '1234.20' },
    ])
    expect(
      await sql('select private.payout_file_of(id) from withdrawal_requests where user_id = $1', [olivia.id]),
    ).toEqual([{ payout_file_of: null }])
  })

  test('without an account that opens is refused, and gone once it is void', async () => {
    for (const { id } of [olivia, marc]) await sql(seal("'v1.made.up'"), [id])
    expect(await download()).toMatchObject({
      status: 400,
      body: {
        message: 'No bank account of this file opens. Please void it.',
        hint: 'payout_file_unreadable',
      },
    })
    await asAda().sql`select void_payout_file(${String(file)}, 'The bank was closed')`
    expect(await download()).toMatchObject({ status: 400, body: { message: 'This payment file is void' } })
  })

  test('says what is missing where nobody has set which account pays', async () => {
    const other = await openVault(name)
    const { accessToken } = await other.addPerson('Ada', 'admin')
    expect(await other.ask('payout-file', { file: 1 }, accessToken)).toMatchObject({
      status: 400,
      body: {
        message:
          'Which account pays is not set: the operator sets PAYOUT_IBAN, PAYOUT_HOLDER, PAYOUT_TOWN and PAYOUT_COUNTRY, such as DE',
      },
    })
    await other.close()
  })
})
