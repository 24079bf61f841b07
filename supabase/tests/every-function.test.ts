import { describe, expect, test } from 'vitest'
import { ownDatabase } from './people.ts'

const { db } = await ownDatabase()

const functionsWhere = async (condition: string) =>
  (
    await db.query<{ found: string }>(`select p.oid::regprocedure::text as found
      from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
      where n.nspname in ('public', 'private') and (${condition}) order by 1`)
  ).map(({ found }) => found)

describe('every function', () => {
  test('pins an empty search_path, or had its names resolved when it was made', async () => {
    expect(
      await functionsWhere(
        `not coalesce(p.proconfig @> array['search_path=""'], false) and p.prosqlbody is null`,
      ),
    ).toEqual([])
  })

  test("in public runs with the caller's rights", async () => {
    expect(await functionsWhere(`n.nspname = 'public' and p.prosecdef`)).toEqual([])
  })

  test('is closed to everybody by default', async () => {
    expect(
      await functionsWhere(
        `exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a where a.grantee = 0)`,
      ),
    ).toEqual([])
  })

  test('in public is open to signed-in people, but for those that only the server calls', async () => {
    expect(
      await functionsWhere(
        `n.nspname = 'public' and not has_function_privilege('authenticated', p.oid, 'execute')`,
      ),
    ).toEqual([
      'begin_vault(text)',
      'calendar_of(text)',
      'forget_card(text)',
      'keep_unknown_event(text,text,text)',
      'knows_charge(text)',
      'move_clock(interval)',
      'recall_simulated(text)',
      'record_card(text,text,text,text,integer,integer,boolean)',
      'record_charge(text,text,text,numeric,numeric,boolean)',
      'record_customer(uuid,text)',
      'record_dispute(text,text,numeric,text,text,timestamp with time zone)',
      'record_intent(uuid,text)',
      'record_refund(text,text,text,text)',
      'remember_simulated(text,jsonb)',
      'report_payment_provider(text,text,text)',
      'rewrap_vault_keys(text,jsonb)',
      'settle_mail(uuid,integer,text,boolean)',
      'settle_payment_job(uuid,integer,text)',
      'settle_push(uuid,uuid,integer,text,text)',
      'take_due_mails(integer)',
      'take_due_pushes(integer)',
      'take_payment_jobs(text,integer,uuid)',
      'take_vault_keys(text,integer)',
    ])
  })

  test('of a trigger is closed to everybody, as firing it needs no right', async () => {
    expect(
      await functionsWhere(`p.prorettype = 'trigger'::regtype and (n.nspname = 'public'
        or has_function_privilege('authenticated', p.oid, 'execute'))`),
    ).toEqual([])
  })

  test('of a trigger is named after its table and what it does', async () => {
    expect(
      await functionsWhere(`p.prorettype = 'trigger'::regtype and not exists (
        select from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
        where t.tgfoid = p.oid and p.proname like 'tg\\_' || c.relname || '\\_\\_%')`),
    ).toEqual([])
  })

  test('that a policy, a trigger or each request asks keeps its plan, or goes into the statement that asks', async () => {
    const asked = `(select string_agg(body, ' ') from (
      select concat(qual, with_check) as body from pg_policies
      union all select prosrc from pg_proc where prorettype = 'trigger'::regtype or proname = 'check_request') as asking)`
    expect(
      await functionsWhere(
        `n.nspname = 'private' and p.prolang = (select oid from pg_language where lanname = 'sql')
          and p.prosqlbody is null and ${asked} ~ ('private\\.' || p.proname || '\\(')`,
      ),
    ).toEqual([])
  })

  // What visitors may call as well is listed in grants.test.ts, and is the same for everybody.
  test('that acts with the rights of its owner and is open to people alone asks who is signed in', async () => {
    const asks = `p.prosrc ~ 'auth\\.uid\\(\\)|private\\.(require_|is_|may\\(|my_permissions|lock_own_plan|lock_living_seat|lock_direct_payment|lock_problem|sees_problem)'`
    expect(
      await functionsWhere(
        `p.prosecdef and has_function_privilege('authenticated', p.oid, 'execute')
          and not has_function_privilege('anon', p.oid, 'execute') and not (${asks})`,
      ),
    ).toEqual([])
  })
})
