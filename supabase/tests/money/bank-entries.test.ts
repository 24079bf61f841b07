// Payments found in a bank statement: the payment of each entry, confirmed once, and nothing of the entry is stored.
import { beforeEach, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { join, type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()
let olivia: Person
let marc: Person
let plan: SharedPlan
let reference = ''
let today = ''
beforeEach(async () => {
  ;({ olivia, marc, plan } = await setTheTable(db))
  await olivia.insert('payment_wishes', { kind: 'text', note: 'Cash' })
  reference = await single(marc.sql`select reference from member_payments`)
  today = await single(sql`select private.now()::date::text`)
})

type Fate = { key: string; fate: string; params: Record<string, unknown> }
const entry = (more: object = {}) => ({
  ...{
    amount: 5,
    currency: 'EUR',
    kind: null,
    booked: today,
    name: 'MARC B. GMBH',
    text: 'Netflix',
    ref: crypto.randomUUID(),
  },
  ...more,
})
const json = (entries: object[]) =>
  JSON.stringify(entries.map((one, index) => ({ key: String(index), ...one })))
const propose = (entries: object[], person = olivia) =>
  person.sql<Fate>`select * from propose_direct_payments(${json(entries)})`
/** Confirms as the screen does: each entry with the payment that was proposed for it. */
const confirm = async (entries: object[], said: Fate[]) =>
  olivia.sql<Fate>`select * from confirm_direct_payments(${json(
    entries.map((one, index) => ({
      ...one,
      payment: said.find(({ key }) => key === String(index))?.params.payment ?? null,
    })),
  )})`
const fates = (all: Fate[]) =>
  all
    .sort((a, b) => Number(a.key) - Number(b.key))
    .map(({ fate, params: { by } }) => (by ? `${fate} ${by}` : fate))
const statuses = async () =>
  (await olivia.sql<{ status: string }>`select status from member_payments order by number, id`).map(
    ({ status }) => status,
  )

test.each<[(reference: string) => object, string]>([
  [(text) => ({ text }), 'pays reference'],
  [
    (text) => ({ text: `SVWZ+${text.toLowerCase().replaceAll('-', ' ')} thanks`, name: 'Somebody' }),
    'pays reference',
  ],
  [(text) => ({ text: `${text.slice(0, 6)} ${text.slice(6)}` }), 'pays reference'],
  [(text) => ({ text: `${text}2` }), 'pays name'],
  [() => ({}), 'pays name'],
  [() => ({ name: 'Grandma' }), 'choose'],
  [() => ({ name: 'Jan van der Brandt', text: 'von mir' }), 'choose'],
  [(text) => ({ text, amount: 4 }), 'amount reference'],
  [(text) => ({ text, amount: null }), 'amount reference'],
  [() => ({ amount: 4 }), 'nothing'],
  [() => ({ booked: '2020-01-01' }), 'nothing'],
  [(text) => ({ text, currency: 'CHF' }), 'currency'],
  [(text) => ({ text, kind: 'debit' }), 'debit'],
  [() => ({ kind: 'pending', amount: undefined, name: undefined, text: undefined }), 'pending'],
])('%s: %s', async (more, fate) => {
  await sql`update user_profiles set display_name = 'Marc van Dijk' where user_id = ${marc.id}`
  expect(fates(await propose([entry(more(reference))]))).toEqual([fate])
  expect(await propose([entry(more(reference))], marc)).not.toContainEqual(
    expect.objectContaining({ fate: expect.stringMatching(/pays|choose/) }),
  )
})

test.each<[string, string, string]>([
  ...['JUERGEN MUELLER', 'JURGEN MULLER', 'Müller Jürgen', 'Mu\u0308ller, J.', 'Bank AG / Jürgen Müller'].map(
    (name): [string, string, string] => ['Jürgen Müller', name, 'pays name'],
  ),
  ['Juergen Mueller', 'JÜRGEN MÜLLER', 'pays name'],
  ['Søren Ågård', 'SOEREN AAGAARD', 'pays name'],
  ['Strauß', 'STRAUSS', 'pays name'],
  ['Łukasz Żak', 'LUKASZ ZAK', 'pays name'],
  ['Νίκος Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ ΝΙΚΟΣ', 'pays name'],
  ['Пётр Чайковский', 'ЧАЙКОВСКИЙ П', 'pays name'],
  ['محمد علي', 'مُحَمَّد علي', 'pays name'],
  ['王伟', '王伟', 'pays name'],
  ['김민수', '김민수', 'pays name'],
  ['Bo Li', 'LI BO', 'pays name'],
  ['नेहा', 'नेहा', 'pays name'],
  ['Ola Nordmann', 'O\u200bLA', 'pays name'],
  ['王 伟', '王 芳', 'choose'],
  ['김 민수', '김 철수', 'choose'],
  ['Bo Li', 'Bo Yu', 'choose'],
  ['Bauer', 'Baur', 'choose'],
  ['🙂', '', 'choose'],
  ['Ян', 'Жан', 'choose'],
])('%s is %s: %s', async (displayName, name, fate) => {
  await sql`update user_profiles set display_name = ${displayName} where user_id = ${marc.id}`
  expect(fates(await propose([entry({ name })]))).toEqual([fate])
})

test('confirms all at once and each once, and keeps nothing but hashes', async () => {
  const zoe = await addPerson(db, 'Zoe')
  await join(db, zoe, plan)
  const theirs = await single(zoe.sql`select reference from member_payments`)
  const entries = [
    entry({ name: 'Marc' }),
    entry({ text: reference }),
    entry({ text: theirs, name: 'Father of Zoe' }),
    entry({ text: theirs }),
    entry({ amount: 900, name: 'Salary Ltd' }),
  ]
  const said = await propose(entries)
  expect(fates(said)).toEqual(['nothing', 'pays reference', 'pays reference', 'twice reference', 'nothing'])
  expect(await statuses()).toEqual(['due', 'due'])
  const both = await Promise.all([confirm(entries, said), confirm(entries, said)])
  expect(both.flatMap((one) => one.filter(({ fate }) => fate === 'done'))).toHaveLength(2)
  expect(await statuses()).toEqual(['paid', 'paid'])
  expect(await marc.sql`select id from user_notifications where event = 'payment-received'`).toHaveLength(1)
  // The same statement comes again a month later, when its entries fit the next payments as well.
  await sql`update private.clock set ahead = ahead + interval '31 days'`
  await sql`select private.run_due_work()`
  expect(await statuses()).toEqual(['paid', 'paid', 'due', 'due'])
  expect(fates(await propose(entries)).slice(1, 4)).toEqual(['confirmed', 'confirmed', 'confirmed reference'])
  await confirm(entries, said)
  expect((await statuses()).filter((status) => status === 'paid')).toHaveLength(2)
  const kept = JSON.stringify(
    await sql`select to_jsonb(t) as row from private.used_bank_entries as t where owner_id = ${olivia.id}`,
  )
  expect(kept).not.toMatch(/PL-|Marc|Zoe|MARC/)
})

test('an owner chooses where several fit, and only what they chose is confirmed', async () => {
  const nina = await addPerson(db, 'Nina')
  await join(db, nina, plan)
  const entries = [
    entry({ name: 'Grandma', ref: null, text: 'x' }),
    entry({ name: 'Grandma', ref: null, text: 'x' }),
  ]
  const [one, other] = await propose(entries)
  expect([one?.fate, other?.fate]).toEqual(['choose', 'choose'])
  const of = (one?.params.of ?? []) as { payment: string; member: string }[]
  expect(of.map(({ member }) => member).sort()).toEqual([
    expect.stringMatching(/^Marc/),
    expect.stringMatching(/^Nina/),
  ])
  const chosen = of.find(({ member }) => member.startsWith('Nina'))?.payment
  const pick = (entries: object[]) =>
    olivia.sql<Fate>`select * from confirm_direct_payments(${json(entries.map((one, index) => ({ ...one, payment: index === 1 ? chosen : null })))})`
  expect(fates(await pick(entries))).toEqual(['choose', 'done choice'])
  expect(await nina.sql`select status from member_payments`).toEqual([{ status: 'paid' }])
  expect(await statuses()).toEqual(expect.arrayContaining(['due', 'paid']))
  // Payments of other owners, or that do not fit, cannot be chosen.
  expect(
    fates(
      await olivia.sql<Fate>`select * from confirm_direct_payments(${json([entry({ amount: 1, payment: chosen })])})`,
    ),
  ).toEqual(['nothing'])
})

test('a standing order, which keeps the reference of its first month, pays the months after it too', async () => {
  const first = [entry({ text: reference })]
  await confirm(first, await propose(first))
  const later = await single(sql`select (private.now() + interval '31 days')::date::text`)
  const again = [
    entry({ text: reference, booked: later, name: 'Marc' }),
    entry({ text: reference, booked: later, name: 'His mother' }),
  ]
  expect(fates(await propose(again))).toEqual(['confirmed', 'confirmed'])
  await sql`update private.clock set ahead = ahead + interval '31 days'`
  await sql`select private.run_due_work()`
  expect(fates(await propose(again.slice(1)))).toEqual(['choose'])
  const said = await propose(again)
  expect(fates(said)).toEqual(['pays name', 'confirmed'])
  await confirm(again, said)
  expect(await statuses()).toEqual(['paid', 'paid'])
})
