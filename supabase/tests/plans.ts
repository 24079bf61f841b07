// Plans for SQL tests, created the way a client does.
import type { Database } from '@potluck/server/db/database.ts'
import { single } from './answers.ts'
import { addPerson, type Person } from './people.ts'

export interface SharedPlan {
  id: string
  owner: Person
}

/** Shares a catalogue plan as `owner`, with `places` in all (the owner's own included). */
export async function sharePlan(
  _db: Database,
  owner: Person,
  { catalogueId = 'netflix-premium', places = 4 }: { catalogueId?: string; places?: number } = {},
): Promise<SharedPlan> {
  const id = await single(owner.sql`insert into shared_subscriptions
    (catalogue_plan_id, owner_max_members, next_payment)
    values (${catalogueId}, ${places}, current_date + 30) returning id`)
  return { id, owner }
}

/** Asks for a place, to begin immediately if it is paid through the site, and returns the request's id. */
export const ask = (_db: Database, person: Person, plan: SharedPlan, message = ''): Promise<string> =>
  single(person.sql`insert into subscription_requests (subscription_id, message, begins_at_once_at)
    values (${plan.id}, ${message}, now()) returning id`)

/** Stores how an owner is paid; returns no row if that was stored before. */
export const sayHowPaid = (owner: Person) =>
  owner.sql`insert into payment_wishes (kind, note) values ('text', 'Cash')
    on conflict do nothing returning user_id`

/**
 * Runs `give` while the owner's payment details are known, and deletes them afterwards: most tests are about owners
 * without payment details.
 */
export async function sayingHowPaid<Result>(owner: Person, give: () => Promise<Result>): Promise<Result> {
  const [said] = await sayHowPaid(owner)
  try {
    return await give()
  } finally {
    if (said) await owner.sql`delete from payment_wishes where user_id = auth.uid()`
  }
}

/** Approves a request, and gives access. */
export async function approve(db: Database, plan: SharedPlan, requestId: string): Promise<void> {
  await sayingHowPaid(
    plan.owner,
    () => plan.owner.sql`select approve_subscription_request(${requestId}, ${plan.id})`,
  )
  await letIn(db)
}

export async function join(db: Database, person: Person, plan: SharedPlan): Promise<void> {
  await approve(db, plan, await ask(db, person, plan))
}

/** Gives access to all members who pay directly, without storing access data. */
export async function letIn(db: Database): Promise<void> {
  // Each place in its own transaction: people who are let in at the same moment must not wait for each other.
  const waiting = await db.query<{ id: string }>(`select id from private.seats
    where settlement = 'direct' and ended_at is null and anchor is null`)
  for (const { id } of waiting) {
    await db.query(
      'update private.seats set access_given_at = coalesce(access_given_at, private.now()) where id = $1',
      [id],
    )
    await db.query('select private.begin_periods($1)', [id])
  }
}

/**
 * Takes the time away from all places so far. A test that moves the clock would otherwise also do the due work of the
 * places of all earlier tests in its file.
 */
export const stopPlaces = (db: Database) =>
  db.query('update private.seats set next_at = null where next_at is not null')

/** Creates Olivia, who shares a plan, its member Marc, and Zoe, a stranger. */
export async function setTheTable(db: Database) {
  const olivia = await addPerson(db, 'Olivia')
  const marc = await addPerson(db, 'Marc')
  const zoe = await addPerson(db, 'Zoe')
  const plan = await sharePlan(db, olivia)
  await join(db, marc, plan)
  return { olivia, marc, zoe, plan }
}

/** Opens the chat of the plan's owner and a member, as the owner; returns the conversation's id. */
export const openChat = (_db: Database, { id, owner }: SharedPlan, member: Person): Promise<string> =>
  single(owner.sql`select find_or_create_conversation(${id}, ${owner.id}, ${member.id})`)

/** Returns the marketplace as a person sees it, by plan. */
export async function found(person: Person, args = ''): Promise<Map<string, { kept: number }>> {
  const [row] = await person.run<{ cards: { id: string; kept: number }[] }>(
    `select market_plans(${args}) as cards`,
  )
  return new Map(row?.cards.map((card) => [card.id, card]))
}
