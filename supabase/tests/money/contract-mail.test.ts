// The contract goes to the member by mail as soon as it is made, by every way into a place.

import { toPlainText } from '@potluck/server/mail/smtp.ts'
import { expect, test } from 'vitest'
import { single } from '../answers.ts'
import { invitationsIn } from '../invitations.ts'
import { asSent, waitingMails } from '../mail-words.ts'
import { setThePayingTable } from '../paying.ts'
import type { Person } from '../people.ts'
import { ask, join, sharePlan } from '../plans.ts'

const { db, sql, till, who } = await setThePayingTable()

const contracts = async ({ email }: Person) =>
  (await waitingMails(db, email)).filter(
    ({ event }) => event?.startsWith('contract-') && event !== 'contract-withdrawn',
  )
/** Returns the last contract mailed to the person, in a language, as plain text. */
async function textTo(person: Person, language: string): Promise<string> {
  const mail = (await contracts(person)).at(-1)
  if (!mail) throw new Error('No contract was mailed')
  return toPlainText((await asSent({ ...mail, language })).html)
}
const lines = (text: string, ...parts: (string | RegExp)[]) => {
  for (const part of parts)
    expect(text).toMatch(
      part instanceof RegExp ? part : new RegExp(part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')),
    )
}

test('a place paid through the site: before it is paid, whatever was turned off, with terms, sellers, right and form, in German and English', async () => {
  const { marc, plan } = who()
  await marc.sql`select set_mail_preference(false)`
  await sql`update operator set name = 'Tafel GmbH', street = 'Hauptstr. 1', postcode = '10115', town = 'Berlin', country = 'DE', email = 'us@tafel.example'`
  await sql`update vat_settings set mode = 'home'`
  await till.enter(marc, plan)
  expect(await contracts(marc)).toMatchObject([
    { event: 'contract-made', minutes: 0, unsubscribe_path: null, about: '{}' },
  ])
  lines(
    await textTo(marc, 'en'),
    /Since \d+ \w+ \d{4} you have a place in Netflix Premium, shared by Olivia\. This is your contract\./,
    'You pay €5.50 a month. €5.00 of it is for Olivia, who gives you the place. €0.50 is for our service, VAT included.',
    'We charge it now, and then every month, and tell you 3 days before each renewal.',
    'Olivia has 48 hours from your first payment to give you access.',
    'You can leave at any time in your plan, at the end of the month or at once.',
    'Olivia sells you the place. We take the payment, hold it and help with problems; that is what the fee is for.',
    /On \d+ \w+ \d{4}, \d\d:\d\d UTC you asked us to begin at once\. If you withdraw from the contract, you pay for the days you had access\./,
    /you can withdraw from this contract within 14 days without giving a reason, until \d+ \w+, \d\d:\d\d UTC\. .* to Tafel GmbH, Hauptstr\. 1, 10115 Berlin, DE, us@tafel\.example\./,
    'at the latest within 14 days of hearing from you, the way you paid, and at no cost to you.',
    /Model withdrawal form\n\(Complete and return this form only if you wish to withdraw from the contract\.\)\n— To Tafel GmbH, Hauptstr\. 1, 10115 Berlin, DE, us@tafel\.example:\n— I\/We \(\*\) hereby give notice/,
    /— Ordered on \(\*\)\/received on \(\*\): \d+ \w+ \d{4}\n— Name of consumer\(s\): Marc\n— Address of consumer\(s\):\n/,
  )
  lines(
    await textTo(marc, 'de'),
    /Seit \d+\. \S+ \d{4} hast du einen Platz bei Netflix Premium, geteilt von Olivia\. Das ist dein Vertrag\./,
    /Du zahlst 5,50\s€ im Monat\. 5,00\s€ davon bekommt Olivia für den Platz\. 0,50\s€ sind für unseren Service, inklusive MwSt\./,
    'Der Vertrag läuft von Monat zu Monat, bis du gehst.',
    'innerhalb von 14 Tagen ohne Angabe von Gründen widerrufen',
    /Muster-Widerrufsformular\n\(Wenn Sie den Vertrag widerrufen wollen,/,
    '— Hiermit widerrufe(n) ich/wir (*) den von mir/uns (*) abgeschlossenen Vertrag',
    /— Name des\/der Verbraucher\(s\): Marc\n/,
    '(*) Unzutreffendes streichen.',
  )
  await till.work()
  expect(await contracts(marc)).toHaveLength(1)
  await sql`update operator set name = null`
  await sql`update vat_settings set mode = 'off'`
})

test('a place whose owner is paid directly: the owner’s terms, and no right that private people do not have', async () => {
  const { olivia, marc } = who()
  const direct = await sharePlan(db, olivia, { catalogueId: 'dropbox-family-annual' })
  await sql`update shared_subscriptions set settlement = 'direct' where id = ${direct.id}`
  await join(db, marc, direct)
  expect((await contracts(marc)).map(({ event }) => event)).toEqual(['contract-with-owner'])
  const [english, german] = [await textTo(marc, 'en'), await textTo(marc, 'de')]
  lines(
    english,
    'Your contract is with Olivia, who shares it. We are not part of it.',
    'You pay €33.98 a year, in 12 monthly payments that differ by a cent at most. The next is €2.83. You pay Olivia directly, without a fee.',
    'If Olivia ends your place, Olivia owes you the unused part.',
    'Consumer law, such as the right to withdraw within 14 days, does not apply between private people.',
  )
  lines(
    german,
    'Dein Vertrag besteht mit Olivia. Wir sind nicht beteiligt.',
    /Du zahlst 33,98\s€ im Jahr, in 12 Monatsraten/,
    'gilt nicht zwischen Privatpersonen',
  )
  for (const text of [english, german]) expect(text).not.toMatch(/Model withdrawal|Muster-Widerruf/)
})

test.each([
  [
    'an invitation',
    async (marc: Person) => {
      const { invited, accept } = invitationsIn(db)
      await accept(marc, (await invited(who().plan, marc)).token)
    },
  ],
  [
    'an instant place',
    async (marc: Person) => {
      await sql`update shared_subscriptions set instant_from = 'new' where id = ${who().plan.id}`
      await ask(db, marc, who().plan)
    },
  ],
  [
    'an offer from the waiting list',
    async (marc: Person) => {
      const { plan, olivia } = who()
      const nina = await till.payer('Nina')
      await till.enter(nina, plan)
      await olivia.sql`update shared_subscriptions set owner_max_members = 2 where id = ${plan.id}`
      await marc.sql`select join_waiting_list(${plan.id})`
      await nina.sql`delete from subscription_members where user_id = ${nina.id}`
      await join(db, marc, plan)
    },
  ],
])('by %s', async (_name, enter) => {
  await enter(who().marc)
  const mails = await contracts(who().marc)
  expect(mails.map(({ event, params }) => [event, params.made, params.form])).toEqual([
    ['contract-made', 'place', true],
  ])
  expect(
    await single(
      sql`select withdrawable_until > private.now() from private.seats where member_id = ${who().marc.id}`,
    ),
  ).toBe(true)
})

test('new terms: a contract with the site when the owner was paid before, otherwise the terms alone', async () => {
  const { olivia, marc } = who()
  const plan = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
  await sql`update shared_subscriptions set settlement = 'direct' where id = ${plan.id}`
  await join(db, marc, plan)
  const agree = async () =>
    void (await marc.sql`select answer_terms(id, true, true) from term_proposals where answered_at is null`)
  await olivia.sql`select propose_terms(${plan.id}, 'potluck')`
  await agree()
  await sql`update shared_subscriptions set member_price = member_price - 1 where id = ${plan.id}`
  await olivia.sql`select propose_terms(${plan.id}, 'direct')`
  await agree()
  const mails = await contracts(marc)
  expect(mails.map(({ event, params }) => [event, params.made, params.form])).toEqual([
    ['contract-with-owner', 'place', false],
    ['contract-made', 'terms', true],
    ['contract-with-owner', 'terms', false],
  ])
  const [, changed] = mails.map(({ said }) => said.sentences)
  expect(changed?.[0]).toMatch(
    /^On .+ you accepted new terms for your place in Spotify .+ They apply from your next month\.$/,
  )
  expect(changed?.[3]).toMatch(/^If access stops working, report it/)
})

test('demo data and declined terms mail no contract', async () => {
  const { olivia, marc } = who()
  const plan = await sharePlan(db, olivia, { catalogueId: 'tidal-family' })
  await sql`update shared_subscriptions set settlement = 'direct' where id = ${plan.id}`
  await sql`select private.add_member(${plan.id}, ${marc.id}, false)`
  await olivia.sql`select propose_terms(${plan.id}, 'potluck')`
  await marc.sql`select answer_terms(id, false) from term_proposals where answered_at is null`
  expect(await contracts(marc)).toEqual([])
})
