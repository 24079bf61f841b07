// Nine people around one plan, a second plan that none of them is involved in, and a third whose owner has blocked them
// all.

import type { Caller } from '@potluck/server/db/as-caller.ts'
import type { Database } from '@potluck/server/db/database.ts'
import { single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { ANONYMOUS, addPeople, addPerson, addStaff, type Person, statements } from '../people.ts'
import { ask, join, openChat, type SharedPlan, sharePlan } from '../plans.ts'
import { openEntry, storeEntry, storeLogin } from '../vault-entries.ts'
import type { Role } from './cells.ts'

export interface Scene {
  /** For each role, the caller and the id that :me stands for. A visitor claims to be the stranger. */
  people: Record<Role, { id: string; caller: Caller }>
  /** The ids behind the names in cells. */
  ids: Record<string, string>
}

/** Creates the scene. Each person has a notification, a wallet, a withdrawal, a provider request and a role request. */
export async function setTheScene(db: Database): Promise<Scene> {
  const [zoe, rita, marc, felix, olivia, lea, nina, paul] = await addPeople(db, [
    ...(['Zoe', 'Rita', 'Marc', 'Felix', 'Olivia', 'Lea', 'Nina', 'Paul'] as const),
  ])
  const mona = await addStaff(db, 'Mona', 'moderator')
  const ada = await addStaff(db, 'Ada', 'admin')
  const sofia = await addStaff(db, 'Sofia', 'super-admin')

  const plan = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family', places: 6 })
  const other = await sharePlan(db, nina)
  const around = await addAround(db, plan, { member: marc, former: felix, requester: rita })
  const aroundOther = await addAround(db, other, { member: paul, former: lea, requester: rita })
  await join(db, lea, plan)
  await db.query('insert into waiting_list (subscription_id, user_id) values ($1, $2)', [other.id, zoe.id])
  const everybody = [zoe, rita, marc, felix, olivia, lea, nina, paul, mona, ada, sofia]
  for (const person of everybody) await addOwnThings(db, person)
  await db.query(`update admin_role_requests set status = 'rejected' where user_id <> $1`, [nina.id])
  for (const row of [
    `service_provider_data (data) values ('[]')`,
    `provider_rules (provider, rule, reason, ground, clause) values ('Mubi', 'off', 'Its terms', 'provider', '4.2')`,
    `unknown_payment_events (id, type, about) values ('evt_1', 'charge.pending', 'ch_1')`,
  ])
    await db.query(`insert into ${row}`)
  await db.query('insert into plan_departures (subscription_id) values ($1), ($2)', [plan.id, other.id])
  await db.query('select private.close_day()')
  const reviewed = await addReview(db, { author: felix, reporter: zoe })
  const reported = await addPersonReport(db, { reporter: lea, about: olivia })
  const blocking = await addBlockingPlan(db, { member: marc, blocked: everybody })
  await olivia.sql`select block_person(${lea.id})`

  return {
    people: {
      visitor: { id: zoe.id, caller: ANONYMOUS },
      stranger: zoe,
      requester: rita,
      member: marc,
      'former member': felix,
      owner: olivia,
      moderator: mona,
      admin: ada,
      'super-admin': sofia,
    },
    ids: {
      ...Object.fromEntries(everybody.map(({ name, id }) => [name.toLowerCase(), id])),
      ...around,
      ...blocking,
      ...reviewed,
      ...reported,
      ...Object.fromEntries(Object.entries(aroundOther).map(([name, id]) => [`other_${name}`, id])),
      pending_plan: await addPlanInReview(db, nina),
    },
  }
}

/**
 * Adds to a plan: chats, a pending request, a vault entry and an account login, an invitation, and a seat with a
 * payment that is due.
 */
async function addAround(
  db: Database,
  plan: SharedPlan,
  { member, former, requester }: { member: Person; former: Person; requester: Person },
) {
  const { id, owner } = plan
  const { sql } = statements(db)
  await join(db, member, plan)
  await join(db, former, plan)
  const conversation = await chat(db, plan, member)
  const archived = await chat(db, plan, former)
  await sql`insert into message_drafts (conversation_id, user_id, content, made_by) values (${conversation}, ${member.id}, 'Hello', 'Script')`
  await owner.sql`delete from subscription_members where user_id = ${former.id}`
  await storeEntry(db, plan)
  await storeLogin(db, plan)
  await openEntry(member, plan)
  const token = `token of ${id}`
  const invitation = await single(sql`insert into subscription_invitations
    (subscription_id, email, invited_by, token_hash) values
    (${id}, 'ivy@potluck.example', ${owner.id}, encode(sha256(convert_to(${token}, 'UTF8')), 'hex')) returning id`)
  await owner.sql`insert into payment_wishes (kind, note) values ('text', 'Cash, please')`
  const payment = await single(member.sql`select id from member_payments where subscription_id = ${id}`)
  const seat = await single(member.sql`select seat_id from member_payments where id = ${payment}`)
  await sql`insert into private.charges (payment_id, provider, intent, status)
    values (${payment}, 'stripe', ${`pi_${payment}`}, 'succeeded')`
  await sql`insert into payment_disputes
    (id, payment_id, plan_name, member_id, owner_id, amount, charged, given_back, reason, status, closed_at)
    values (${`dp_${payment}`}, ${payment}, 'A plan', ${member.id}, ${owner.id}, 5, 5, 0, 'general', 'lost', now())`
  await sql`insert into debts (dispute_id, payment_id, member_id, plan_name, amount)
    values (${`dp_${payment}`}, ${payment}, ${member.id}, 'A plan', 5)`
  await sql`insert into fraud_warnings (id, payment_id, plan_name, member_id, owner_id, charged, fraud_type, actionable)
    values (${`issfr_${payment}`}, ${payment}, 'A plan', ${member.id}, ${owner.id}, 5, 'misc', true)`
  await sql`insert into fee_invoices (number, payment_id, buyer_id, paid_at, plan_name, period, gross, net, vat, category, vat_rate,
    buyer_name, buyer_country, evidence, seller) values (${payment}, ${payment}, ${member.id}, now(), 'A plan', 1, 0.5, 0.42, 0.08, 'S', 0.19,
    'Somebody', 'DE', '{}', '{}')`
  const proposal = await single(sql`insert into term_proposals
    (seat_id, subscription_id, owner_id, member_id, settlement, share)
    select id, subscription_id, owner_id, member_id, 'direct', 4 from private.seats where id = ${seat} returning id`)
  const problem = await single(member.sql`select report_problem(${seat}, 'password')`)
  const request = await ask(db, requester, plan)
  const claim = await single(sql`insert into payment_claims
    (payment_id, seat_id, owner_id, member_id, kind, amount, after_end, status, closed_at, token_hashes)
    values (${payment}, ${seat}, ${owner.id}, ${member.id}, 'repayment', 1, false, 'received', now(), array[private.hash_of(${`claim of ${id}`})])
    returning id`)
  return {
    plan: id,
    ...{ claim, claim_token: `claim of ${id}` },
    ...{ conversation, request },
    archived_conversation: archived,
    ...{ token, invitation, seat, payment, proposal, problem },
  }
}

/** Adds a former member's review of the owner, which is published and reported. */
async function addReview(db: Database, { author, reporter }: { author: Person; reporter: Person }) {
  const seat = await single(author.sql`select id from my_seats() where ended_at is not null`)
  await db.query(
    'update member_payments set starts_at = starts_at - private.review_after() where seat_id = $1',
    [seat],
  )
  await author.sql`select review_seat(${seat}, 2, 'Slow')`
  const shown = 'update private.seat_reviews set shown_from = written_at where seat_id = $1 returning id'
  const review = await single(db.query(shown, [seat]))
  await reporter.sql`select report('review', ${review}, 'abuse', 'Rude')`
  return { former_seat: seat, review }
}

async function addPersonReport(db: Database, { reporter, about }: { reporter: Person; about: Person }) {
  await reporter.sql`select report('person', ${about.id}, 'abuse', 'Rude')`
  const report = `select id from cases where kind = 'person' and person_id = $1`
  await reporter.sql`select write_to_support('Where is my receipt?')`
  return {
    report: await single(db.query(report, [about.id])),
    help_request: await single(db.query(`select id from cases where kind = 'question'`)),
  }
}

/** Bea shares a plan; one of the nine becomes its member, and then Bea blocks everybody. */
async function addBlockingPlan(db: Database, { member, blocked }: { member: Person; blocked: Person[] }) {
  const bea = await addPerson(db, 'Bea')
  await addDetails(db, bea.id)
  const plan = await sharePlan(db, bea)
  await join(db, member, plan)
  const conversation = await openChat(db, plan, member)
  for (const { id } of blocked) await bea.sql`select block_person(${id})`
  return { blocking_plan: plan.id, blocking_conversation: conversation, bea: bea.id, bea_email: bea.email }
}

async function chat(db: Database, plan: SharedPlan, member: Person): Promise<string> {
  const conversation = await openChat(db, plan, member)
  for (const person of [plan.owner, member]) {
    await person.sql`insert into messages (conversation_id, content) values (${conversation}, 'Hello')`
  }
  return conversation
}

const addDetails = (db: Database, id: string) =>
  db.query(
    `update user_profiles set full_name = display_name || ' Whole', phone_number = '+4930123456', language = 'en' where user_id = $1`,
    [id],
  )

async function addOwnThings(db: Database, { id, name, email }: Person): Promise<void> {
  await addDetails(db, id)
  await db.query(`select private.notify($1, 'info', null, 'payout-released')`, [id])
  await moveCoins(db, { id }, 'earned', 100)
  await addBankAccount(db, { id })
  await db.query('insert into plan_alerts (user_id, most) values ($1, 5)', [id])
  await db.query('insert into withdrawal_requests (user_id, amount) values ($1, 20)', [id])
  await db.query(
    `insert into payment_methods (id, user_id, provider, reference, brand, last4, exp_month, exp_year)
     values (md5($1::text)::uuid, $1::uuid, 'stripe', 'pm_' || $1::text, 'visa', '4242', 1, 2040)`,
    [id],
  )
  await db.query(
    `insert into provider_requests (user_id, provider_name, category, website_url, description, plans_data)
     values ($1, 'Mubi', 'Streaming', 'https://mubi.com', 'Hand-picked films, a new one a day.', $2)`,
    [id, '[{"plan_name":"Solo","price":9,"billing_cycle":"monthly","max_members":2}]'],
  )
  await db.query(
    `insert into admin_role_requests (user_id, name, email, reason)
     values ($1, $2, $3, 'I would like to help with payouts.')`,
    [id, name, email],
  )
}

const addPlanInReview = (db: Database, owner: Person): Promise<string> =>
  single(
    db.query(
      `insert into shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment, status)
       values ($1, 'spotify-premium-family', 3, current_date + 30, 'pending') returning id`,
      [owner.id],
    ),
  )
