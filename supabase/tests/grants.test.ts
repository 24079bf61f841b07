// Hosted projects differ in the default privileges of new tables: the rights on our tables must not depend on them.
// Proves ROLE 12
import { resolve } from 'node:path'
import { migrate, readMigrations } from '@potluck/server/db/migrate.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../server/test/harness.ts'
import { ownDatabase } from './people.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The rights of each API role: `role right object`, with columns if the right is not for the whole table. */
const GRANTS = `
  with api (role) as (values ('anon'), ('authenticated'), ('service_role')), relations as (
    select c.oid, c.oid::regclass::text as name from pg_class as c
    where c.relnamespace::regnamespace::text in ('public', 'private') and c.relkind in ('r', 'v')
  )
  select role || ' ' || lower(kind) || ' ' || name as found
  from api, relations, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) as kind
  where has_table_privilege(role, oid, kind)
  union all
  select role || ' ' || lower(kind) || ' ' || name || ' (' || string_agg(a.attname, ', ' order by a.attname) || ')'
  from api, relations, unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) as kind, pg_attribute as a
  where a.attrelid = relations.oid and a.attnum > 0 and not a.attisdropped
    and not has_table_privilege(role, relations.oid, kind)
    and has_column_privilege(role, relations.oid, a.attnum, kind)
  group by role, kind, name
  union all
  select role || ' execute ' || p.oid::regprocedure from api, pg_proc as p
  where p.pronamespace::regnamespace::text in ('public', 'private') and has_function_privilege(role, p.oid, 'execute')
  order by 1`

const { db } = await ownDatabase()
const grantsIn = async (one: Pick<typeof db, 'query'>) =>
  (await one.query<{ found: string }>(GRANTS)).map(({ found }) => found)

describe('the rights of visitors, signed-in people and the server', () => {
  let closed: string[]
  beforeAll(async () => {
    closed = await grantsIn(db)
  })

  test('are alike whether or not new objects are exposed by default', async () => {
    const exposing = await emptyDatabase()
    const platform = await readMigrations(resolve(ROOT, 'server/src/platform'))
    const migrations = await readMigrations(resolve(ROOT, 'supabase/migrations'))
    await migrate(exposing, { platform, migrations, exposeNewTables: true })
    expect(await grantsIn(exposing)).toEqual(closed)
  })

  test('include every function that the checks, defaults and generated columns of a writable table call', async () => {
    const missing = await db.query(`
      with used (relation, called) as (
        select c.conrelid, d.refobjid from pg_constraint as c
        join pg_depend as d on d.classid = 'pg_constraint'::regclass and d.objid = c.oid and d.refclassid = 'pg_proc'::regclass
        where c.conrelid <> 0
        union
        select a.adrelid, d.refobjid from pg_attrdef as a
        join pg_depend as d on d.classid = 'pg_attrdef'::regclass and d.objid = a.oid and d.refclassid = 'pg_proc'::regclass
      )
      select role || ' ' || relation::regclass || ' ' || called::regprocedure as found
      from used, unnest(array['anon', 'authenticated', 'service_role']) as role
      where (has_any_column_privilege(role, relation, 'INSERT') or has_any_column_privilege(role, relation, 'UPDATE'))
        and not has_function_privilege(role, called, 'execute')`)
    expect(missing).toEqual([])
  })

  test('let a visitor read the catalogue, the marketplace, the imprint and the public books, follow the links of mails, and nothing else', () => {
    const market =
      'market_plans(text,text,text,uuid,numeric,text,text,boolean,boolean,boolean,boolean,numeric,timestamp with time zone,text,integer)'
    const calls = [
      ...['answer_payment_claim(text,boolean,text)', 'get_payment_claim(text)'],
      ...['my_place(text)', 'place_answered_terms(text,uuid,boolean)', 'place_forgets(text)'],
      ...['place_leaves(text)', 'place_said_paid(text,uuid,text)', 'place_note(text,text)'],
      ...['place_calendar(text,boolean)', 'place_export(text)', 'place_reports(text,text)'],
      ...['open_place_access(text,text)'],
      ...['appeal_decision(text,text)', 'get_decision(text)'],
      'report(text,text,text,text,text,text,text,boolean)',
      ...['fee_rate()', 'get_invitation(text)', 'get_person(uuid)', 'market_plan(text)', market],
      ...[
        'page_head(text)',
        'plan_of_code(text)',
        'public_books()',
        'require_first_admin_address(text)',
        'reviews_of(uuid)',
        'set_mail_preference_by_link(text,boolean)',
      ],
      ...[
        'restricted_providers()',
        'sign_ups()',
        'site_config(text)',
        'site_paths()',
        'undo_account_change(text)',
      ],
    ]
    const bodies = [
      ...calls,
      'check_request()',
      'check_session()',
      'claims_of_ticket(text)',
      'plan_counts()',
      'refuse(text[])',
      'refuse_columns(text,text[])',
      'refuse_constraint(text,text,text,text,text,text)',
      'shared_reads()',
    ].map((call) => `private.${call}`)
    const callable = ['count_available_plans()', ...calls, ...bodies].map((call) => `anon execute ${call}`)
    expect(closed.filter((grant) => grant.startsWith('anon '))).toEqual(
      [...callable, 'anon select operator', 'anon select service_provider_data'].sort(),
    )
  })

  test('let nobody empty a table at once, or hang anything on it', () => {
    const beyond = / (truncate|references|trigger) /
    expect(closed.filter((grant) => !grant.startsWith('service_role') && beyond.test(grant))).toEqual([])
  })

  // authorization/ tests tables and public functions one by one. In schema `private`, clients can call these functions,
  // besides the bodies of public functions and plain limits.
  test('open of schema private what public calls, and the helpers that policies and checks ask', () => {
    const mine = (pattern: RegExp) => closed.flatMap((grant) => pattern.exec(grant)?.[1] ?? [])
    const exposedNames = mine(/^authenticated execute (\w+)\(/)
    const helpers = mine(/^authenticated execute private\.(?!(?:longest|most|least)_)(\w+)\(/)
    expect(helpers.filter((name) => !exposedNames.includes(name))).toEqual([
      'cent_currencies',
      'characters',
      'check_request',
      'check_session',
      'currency_digits',
      'default_places',
      'first_broken',
      'first_fee_rate',
      'has_dealt_with',
      'is_language',
      'is_open_withdrawal',
      'is_plan_member',
      'is_plan_owner',
      'is_sheltered',
      'is_staff',
      'knows_plan',
      'may',
      'may_act_as_staff',
      'may_cancel',
      'may_pay_out',
      'may_see_owner',
      'my_email',
      'my_permissions',
      'new_code',
      'pays_directly',
      'people_apart',
      'place_price',
      'plan_counts',
      'proven',
      'refuse',
      'refuse_columns',
      'refuse_constraint',
      'request_lifetime',
      'require_self',
      'require_user',
      'sees_problem',
      'shared_reads',
      'shows_second_factor',
      'whole_currencies',
    ])
  })
})
