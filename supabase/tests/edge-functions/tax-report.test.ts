// The report for a tax office, from the ledger to the file: the owners who are asked and the storage of their details,
// sums that equal the ledger's, and messages that are valid, uniquely named and correct the one before.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { columnOf, single } from '../answers.ts'
import { switchInvoicesOn } from '../invoices.ts'
import { oddTaxFigures } from '../model/audit.ts'
import { type Asker, refusalOf, rule, signedInWith, statements } from '../people.ts'
import { openTill } from '../till.ts'
import { HOSTS } from './hosts.ts'
import { type Account, dump, IBAN, openVault, shapesOf, type Vault } from './vault-host.ts'

const schema = readFileSync(new URL('tax-report.xsd', import.meta.url), 'utf8')
const check = async (contents: string) =>
  (await validateXML({ xml: { fileName: 'file.xml', contents }, schema })).errors

const DETAILS = {
  ...{
    firstName: 'Olivia "Lea"',
    lastName: '& <Öztürk>',
    birthDate: '1990-02-28',
    street: 'Hauptstraße--1/*',
  },
  ...{ postcode: '10115', town: 'Berlin', country: 'DE', vatNumber: 'DE123456789' },
  taxNumbers: [{ number: '12345678911', country: 'DE' }],
}
const BORN = { taxNumbers: [], birthTown: 'Wien', birthCountry: 'AT' }

describe.each(HOSTS)('a tax report by the function vault in %s', (name) => {
  let vault: Vault
  let sql: Asker['sql']
  let till: Awaited<ReturnType<typeof openTill>>
  type Somebody = Account & Asker
  let [olivia, konrad, nora, ada, sofia]: Somebody[] = []
  const add = async (who: string, role?: string): Promise<Somebody> => {
    const account = await vault.addPerson(who, role)
    return { ...account, ...signedInWith(vault.server.db, { ...account, email: '' }, ['password']) }
  }
  const must = (person: Somebody | undefined) => person ?? expect.unreachable()
  const give = (person: Somebody | undefined, details: object = DETAILS) =>
    vault.ask('save-tax-details', details, must(person).accessToken)
  const make = (kind: string, year = 2027) =>
    single<number>(must(ada).sql`select make_tax_report(${year}, ${kind})`)
  const download = async (report: unknown, person = ada) =>
    vault.ask('tax-report', { report: Number(report) }, must(person).accessToken)
  const xmlOf = async (report: unknown) => {
    const { status, body } = await download(report)
    expect([status, await check(String(body.xml))]).toEqual([200, []])
    return String(body.xml)
  }
  const all = (xml: string, element: string) =>
    [...xml.matchAll(new RegExp(`<(?:dpi|stf):${element}(?: [^>]*)?>([^<]*)<`, 'g'))].map(([, text]) => text)
  const sellers = (year = 2027) =>
    must(ada).sql<{ user_id: string; state: string; change: string | null; asked_times: number }>`
      select user_id, state, change, asked_times from list_tax_sellers(${year})`
  const stateOf = async (person: Somebody | undefined) =>
    (await sellers()).find(({ user_id: id }) => id === person?.id)
  const to = async (day: string) => {
    await till.pass(await single(sql`select (${`${day}T12:00Z`}::timestamptz - private.now())::text`))
  }
  const night = () => sql`select private.ask_for_tax_details()`

  beforeAll(async () => {
    vault = await openVault(name)
    sql = statements(vault.server.db).sql
    till = await openTill(vault.server.db)
    ;[olivia, konrad, nora] = [await add('Olivia'), await add('Konrad'), await add('Nora')]
    ;[ada, sofia] = [await add('Ada', 'admin'), await add('Sofia', 'super-admin')]
    await to('2027-02-10')
    for (const owner of [olivia, konrad, nora]) {
      await owner.sql`select declare_seller(false), confirm_age()`
      const plan = {
        id: await single(owner.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, settlement)
        values ('netflix-premium', 3, current_date + 30, 'potluck') returning id`),
        owner,
      }
      for (const member of ['Mia', 'Leo']) await till.enter(await till.payer(member), plan as never)
    }
    await till.work()
    await sql`select report_payment_provider('simulated', 'test', null, true)`
    await sql`select register_account(${konrad.id}, 'acct_k')`
    await sql`select record_account('acct_k', true, true, '{}', null)`
    for (const day of ['2027-03-01', '2027-04-20', '2027-05-05']) await to(day)
    const intent = await single(
      sql`select 'pi ' || id from member_payments where owner_id = ${konrad.id} and status = 'closed' limit 1`,
    )
    await sql`select record_dispute('dp', ${intent}, 5.5, 'needs_response', 'fraudulent', null)`
    await to('2027-07-02')
  })
  afterAll(() => vault.close())

  test('asks nobody for anything before it is switched on, then only whom it is about, and reminds twice', async () => {
    await night()
    expect(await single(must(olivia).sql`select my_tax_details()`)).toEqual({ asked: false, given_at: null })
    expect(await give(olivia)).toMatchObject({
      status: 400,
      body: { message: 'Nobody asks you for tax details' },
    })
    await must(sofia)
      .sql`update tax_settings set is_on = true, first_year = 2027, activity = 'personal-services', country = 'DE',
      nexus = 'RPONEX1', tax_number = 'DE 1', platform = 'Potluck'`
    await night()
    await night()
    const told = () =>
      columnOf(sql`select user_id from user_notifications where event = 'tax-details-wanted' order by 1`)
    expect(await told()).toEqual([olivia, konrad, nora].map((one) => one?.id).sort())
    expect(await single(must(ada).sql`select my_tax_details()`)).toMatchObject({ asked: false })
    for (const person of [olivia, konrad]) expect((await give(person)).body).toMatchObject({ asked: true })
    for (let again = 0; again < 3; again++) {
      await to(await single(sql`select (private.now() + interval '21 days')::date::text`))
      await night()
    }
    expect([(await told()).length, (await stateOf(nora))?.asked_times]).toEqual([5, 3])
  })

  test.each<[string, object]>([
    ['Enter your date of birth', { birthDate: '2026-02-30' }],
    ['Enter your date of birth', { birthDate: '2999-01-01' }],
    ['Please use 1 to 200 characters', { firstName: ' ' }],
    ['Please use 1 to 50 characters', { taxNumbers: [{ number: '', country: 'DE' }] }],
    ['There can be at most 5 tax numbers', { taxNumbers: Array(6).fill(DETAILS.taxNumbers[0]) }],
    ['Please choose a country', { country: 'Germany' }],
    ['Please use 1 to 200 characters', { ...BORN, birthTown: '' }],
    ['This holds a character that cannot be seen', { street: 'Main\u202e' }],
  ])('refuses with: %s', async (message, part) => {
    expect(await give(olivia, { ...DETAILS, ...part })).toMatchObject({ status: 400, body: { message } })
  })

  test('shows them to their owner alone, after a proof, and leaves nothing of them in the database', async () => {
    const show = (token: string) => vault.ask('show-tax-details', {}, token)
    expect((await show(must(olivia).accessToken)).body).toEqual({ details: DETAILS })
    expect((await show(await vault.grownOld(must(olivia)))).body).toMatchObject({ code: 'PT403' })
    const everything = [await dump(vault.server.db), ...vault.server.logged].join('\n')
    for (const secret of [
      DETAILS.taxNumbers[0]?.number ?? '',
      DETAILS.lastName,
      DETAILS.street,
      DETAILS.birthDate,
    ])
      for (const shape of shapesOf(secret)) expect(everything).not.toContain(shape)
  })

  test('sums are those of the ledger by quarter, and of everybody’s statement', async () => {
    await to('2028-01-10')
    expect(await oddTaxFigures(sql)).toEqual([])
    const moved = await sql<{ owner: string; quarter: number; kind: string; amount: number; period: string }>`
      select s.owner_id as owner, extract(quarter from t.created_at at time zone 'utc')::int as quarter, t.kind, t.payment_id as period,
        (t.amount * case when a.kind = 'outside' then -1 else 1 end)::float8 as amount
      from private.ledger_transfers as t join private.seats as s on s.id = t.seat_id
      join private.ledger_accounts as a on a.id = t.to_account
      where (t.kind in ('earning', 'fee') or t.kind = 'chargeback' and t.from_account in (select id from private.ledger_accounts where kind = 'connected'))
        and extract(year from t.created_at at time zone 'utc') = 2027`
    const quarters = (of: (quarter: number) => number) =>
      [1, 2, 3, 4].map((n) => Math.round(of(n) * 100) / 100)
    for (const { user_id: id, figures } of await must(ada).sql<{
      user_id: string
      figures: unknown
    }>`select * from list_tax_sellers(2027)`) {
      const own = moved.filter(({ owner }) => owner === id)
      const sum = (rows: typeof own) => rows.reduce((total, { amount }) => total + amount, 0)
      expect(figures).toEqual({
        consideration: quarters((n) =>
          sum(own.filter(({ quarter, kind }) => quarter === n && kind !== 'fee')),
        ),
        fees: quarters((n) => sum(own.filter(({ quarter, kind }) => quarter === n && kind === 'fee'))),
        activities: quarters(
          (n) =>
            new Set(own.flatMap((one) => (one.quarter === n && one.kind === 'earning' ? one.period : [])))
              .size,
        ),
      })
      const statement = await single<{ reported: object }>(sql`select private.statement_of(${id}, 2027)`)
      expect(statement.reported).toMatchObject(figures as object)
    }
    // The bank took the payment back in the quarter after it was earned.
    expect(moved.filter(({ kind }) => kind === 'chargeback')).toMatchObject([
      { owner: konrad?.id, quarter: 2 },
    ])
  })

  test('is made only when all is known, of a year that is over, by those who may', async () => {
    const refused = rule('First say in the settings who reports, what and where')
    expect(await refusalOf(make('new'))).toEqual(refused)
    await switchInvoicesOn(must(sofia))
    const over = rule('A year is reported once it is over, from 2027 on')
    for (const year of [2026, 2028]) expect(await refusalOf(make('new', year))).toEqual(over)
    expect(await refusalOf(make('nothing'))).toEqual(rule('There is something to report'))
    expect(await refusalOf(make('correction'))).toEqual(rule('There is nothing of this kind to report'))
    expect(await refusalOf(must(olivia).sql`select make_tax_report(2027, 'new')`)).toMatchObject({
      code: '42501',
    })
  })

  test('reports who has answered, the same each time, and logs each download', async () => {
    await vault.ask('bank-account', { iban: IBAN, holder: 'O & K' }, must(olivia).accessToken)
    await give(konrad, { ...DETAILS, ...BORN, vatNumber: '' })
    const report = await make('new')
    const xml = await xmlOf(report)
    expect(await xmlOf(report)).toBe(xml)
    const log = await columnOf(
      sql`select action from private.staff_log where action like 'tax report%' order by line`,
    )
    expect(log).toEqual(['tax report made', 'tax report opened', 'tax report opened'])
    expect(
      await single(sql`select count(*)::int from private.vault_openings where kind = 'tax-details'`),
    ).toBe(4)
    expect([all(xml, 'MessageTypeIndic'), all(xml, 'DocTypeIndic')]).toEqual([
      ['DPI401'],
      Array(3).fill('OECD1'),
    ])
    expect(all(xml, 'Street')).toEqual(['Hauptstraße 1', ...Array(2).fill('Hauptstraße-1/ *')])
    expect(new Set(all(xml, 'LastName'))).toEqual(new Set(['&amp; &lt;Öztürk&gt;']))
    expect(xml).toMatch(
      /<dpi:TIN unknown="true">NOTIN<.*<dpi:BirthPlace>|<dpi:BirthPlace>.*<dpi:TIN unknown="true">NOTIN</,
    )
    expect(all(xml, 'Identifier')).toEqual([IBAN])
    const rounded = await columnOf<number>(must(ada)
      .sql`select round(f.a::numeric)::int from list_tax_sellers(2027) as s
      cross join lateral jsonb_array_elements_text(figures -> 'consideration') as f (a) where s.state = 'ready' order by 1`)
    const written = [1, 2, 3, 4].flatMap((n) => all(xml, `ConsQ${n}`).map(Number)).sort((a, b) => a - b)
    expect(written).toEqual(rounded)
    expect((await download(report, olivia)).status).toBe(403)
    expect((await download(99)).body).toMatchObject({ code: 'PT404', message: 'Tax report not found' })
    // The schema must refuse each of these changed files.
    for (const wrong of [
      xml.replace(/<dpi:Nexus>.*?<\/dpi:Nexus>/, ''),
      xml.replace(' currCode="EUR"', ''),
      xml.replace(/(<dpi:FirstName>.*?<\/dpi:FirstName>)(<dpi:LastName>.*?<\/dpi:LastName>)/, '$2$1'),
      xml.replace('2027-12-31', '2027'),
    ])
      expect(await check(wrong)).not.toEqual([])
  })

  test('a correction names what it corrects, and takes back who is not to be reported; what is void is told again', async () => {
    const first = await xmlOf(await single(sql`select max(id) from private.tax_reports`))
    expect((await sellers()).map(({ change }) => change)).toEqual([null, null, null])
    await give(olivia, { ...DETAILS, town: 'Potsdam' })
    await give(konrad, { ...DETAILS, country: 'US' })
    await sql`update operator set town = 'Köln'`
    const correction = await make('correction')
    const xml = await xmlOf(correction)
    expect(all(xml, 'MessageTypeIndic')).toEqual(['DPI402'])
    expect(all(xml, 'DocTypeIndic').sort()).toEqual(['OECD2', 'OECD2', 'OECD3'])
    expect(all(xml, 'CorrDocRefId').sort()).toEqual(all(first, 'DocRefId').sort())
    // A part that is deleted repeats the details reported earlier.
    expect(all(xml, 'City').sort()).toEqual(['Berlin', 'Köln', 'Potsdam', 'Wien'])
    const names = [first, xml].flatMap((one) => [...all(one, 'DocRefId'), ...all(one, 'MessageRefId')])
    expect(new Set(names).size).toBe(8)
    // Nora gives her details: the next message has a new owner of the same year, and repeats only the operator.
    await give(nora)
    const added = await xmlOf(await make('new'))
    expect([all(added, 'DocTypeIndic'), all(added, 'DocRefId')[0]]).toEqual([
      ['OECD0', 'OECD1'],
      all(xml, 'DocRefId')[0],
    ])
    const last = await single(sql`select max(id) from private.tax_reports`)
    const voiding = (id: unknown, why: string) => must(ada).sql`select void_tax_report(${Number(id)}, ${why})`
    expect(await refusalOf(voiding(last, ' '))).toEqual(rule('Please say why the report is void'))
    expect(await refusalOf(voiding(correction, 'Late'))).toEqual(
      rule('Only the last report of a year can be void'),
    )
    await voiding(last, 'Refused by the portal')
    expect((await stateOf(nora))?.change).toBe('new')
  })

  test('small sellers of goods are left out, and then there is nothing to report', async () => {
    await must(sofia).sql`update tax_settings set activity = 'sale-of-goods'`
    expect(new Set((await sellers()).map(({ state }) => state))).toEqual(new Set(['excluded']))
    await sql`update private.tax_reports set voided_at = private.now()`
    const nothing = await xmlOf(await make('nothing'))
    expect([all(nothing, 'MessageTypeIndic'), nothing.includes('ReportableSeller')]).toEqual([
      ['DPI403'],
      false,
    ])
  })

  test('what a closed account has given is kept as long as the law asks, and then deleted with its key', async () => {
    await must(olivia).sql`select delete_own_account()`
    const kept =
      () => sql`select (select count(*)::int from private.tax_details where user_id = ${olivia?.id}) as details,
      (select count(*)::int from private.vault_keys where person_id = ${olivia?.id}) as keys`
    await sql`delete from private.closed_accounts`
    await night()
    expect(await kept()).toEqual([{ details: 2, keys: 1 }])
    await sql`update private.clock set ahead = ahead + interval '11 years'`
    await night()
    expect(await kept()).toEqual([{ details: 0, keys: 0 }])
  })
})
