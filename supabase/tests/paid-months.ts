// People's history: months that were paid on time, from which their standing is derived.
import type { Database } from '@potluck/server/db/database.ts'
import { addPeople, type Person, statements } from './people.ts'

export function paidMonths(db: Database) {
  const { sql } = statements(db)
  /** Adds `count` past months that this member paid this owner on time. */
  const months = (member: Person, owner: Person, count: number) =>
    sql`with seat as (
        insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement, billing_cycle, share,
          fee_rate)
        values (gen_random_uuid(), 'netflix-premium', 'Netflix', 'Premium', ${owner.id}, ${member.id}, 'direct', 'monthly', 5, 0.1) returning *
      )
      insert into member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, share, fee,
        starts_at, ends_at, due_at, claimed_at, paid_at, status)
      select id, subscription_id, plan_name, owner_id, member_id, n, settlement, share, 0, at, at + interval '30 days', at, at, at, 'paid'
      from seat, generate_series(1, ${count}) as n, lateral (select now() - n * interval '30 days') as began (at)`
  return {
    months,
    /** Makes a person Proven: an account of 90 days, and payments on time to two owners. */
    async prove(person: Person): Promise<void> {
      await sql`update private.user_profiles set created_at = now() - interval '90 days' where user_id = ${person.id}`
      for (const owner of await addPeople(db, ['Ann', 'Ben'])) await months(person, owner, 2)
    },
  }
}
