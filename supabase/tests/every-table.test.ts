import { describe, expect, test } from 'vitest'
import { ownDatabase } from './people.ts'

const { db } = await ownDatabase()

/** Each query lists offenders; a schema without any passes. */
const offenders = async (sql: string) => (await db.query<{ found: string }>(sql)).map(({ found }) => found)

// Nobody reaches these through the API: functions with the owner's rights read and write them.
const WITHOUT_POLICY: Record<string, string> = {
  'private.account_changes':
    'schema private is not exposed; note_account_change() writes it, undo_account_change() reads it',
  'private.active_plan_changes': 'schema private is not exposed; get_admin_dashboard() reads it',
  'private.bank_accounts':
    'schema private is not exposed; save_bank_account() writes it, get_bank_account() reads it',
  'private.closed_accounts':
    'schema private is not exposed; delete_own_account() writes it, settle_closed_accounts() reads it',
  'private.bundled_catalogue': 'schema private is not exposed; catalogue() reads it',
  'private.clock': 'schema private is not exposed; now() reads it, move_clock() writes it',
  'private.daily_books': 'schema private is not exposed; close_day() writes it, public_books() reads it',
  'private.expiry_reminders': 'schema private is not exposed; tell_expiring_requests() writes it',
  'private.fact_changes':
    'schema private is not exposed; what changes facts writes it, standing_facts() reads it',
  'private.known_facts':
    'schema private is not exposed; refresh_facts() writes it, standing_facts() reads it',
  'private.ledger_accounts': 'schema private is not exposed; transfer() writes it',
  'private.ledger_entries': 'schema private is not exposed; transfer() writes it',
  'private.ledger_transfers': 'schema private is not exposed; transfer() writes it',
  'private.link_visits': 'schema private is not exposed; open_plan_link() writes it',
  'private.calendars': 'schema private is not exposed; make_calendar() writes it, calendar_of() reads it',
  'private.unsubscribe_links':
    'schema private is not exposed; unsubscribe_path() writes it, set_mail_preference_by_link() reads it',
  'private.unwanted_notifications':
    'schema private is not exposed; choose_notifications() writes it, wants() reads it',
  'private.outgoing_mail': 'schema private is not exposed; send_mail() writes it, take_due_mails() reads it',
  'private.outgoing_pushes':
    'schema private is not exposed; notifications and chats write it, take_due_pushes() reads it',
  'private.push_devices':
    'schema private is not exposed; add_push_device() writes it, my_push_devices() reads it',
  'private.charges': 'schema private is not exposed; record_charge() writes it',
  'private.payment_customers': 'schema private is not exposed; record_customer() writes it',
  'private.payment_jobs': 'schema private is not exposed; take_payment_jobs() hands them out',
  'private.payment_provider': 'schema private is not exposed; payment_provider() reads it',
  'private.payout_file_entries': 'schema private is not exposed; create_payout_file() writes it',
  'private.payout_files': 'schema private is not exposed; create_payout_file() writes it',
  'private.plan_links':
    'schema private is not exposed; get_plan_link() reads it, replace_plan_link() writes it',
  'private.plan_counts': 'schema private is not exposed; count_plan() writes it, plan_counts() reads it',
  'private.person_reports':
    'schema private is not exposed; report_person() writes it, list_person_reports() reads it',
  'private.rate_limit_usage': 'schema private is not exposed; spend_attempt() writes it',
  'private.rate_limits': 'schema private is not exposed; spend_attempt() reads it',
  'private.seat_reviews': 'schema private is not exposed; reviews_of() reads what is shown of it',
  'private.seats': 'schema private is not exposed; my_seats() and plan_seats() read it',
  'private.refunds': 'schema private is not exposed; record_refund() writes it',
  'private.simulated_payments': 'schema private is not exposed; remember_simulated() writes it',
  'private.time_zones': 'schema private is not exposed; set_time_zone() writes it',
  'private.staff_log': 'schema private is not exposed; log_staff() writes it, list_staff_log() reads it',
  'private.staff_log_days': 'schema private is not exposed; close_day() writes it',
  'private.staff_log_end': 'schema private is not exposed; log_staff() writes it',
  'private.vault_entries':
    'schema private is not exposed; save_vault_entry() writes it, open_vault_entry() reads it',
  'private.vault_keys': 'schema private is not exposed; save_bank_account() and save_vault_entry() write it',
  'private.vault_openings':
    'schema private is not exposed; open_payout_file() and open_vault_entry() write it',
  'private.vault_site_key': 'schema private is not exposed; begin_vault() writes it',
}

const OURS = `('public', 'private')`

describe('every table', () => {
  test('has row-level security on', async () => {
    expect(
      await offenders(`select c.oid::regclass::text as found from pg_class as c
        where c.relnamespace::regnamespace::text in ${OURS} and c.relkind in ('r', 'p') and not c.relrowsecurity`),
    ).toEqual([])
  })

  test('has a policy, or is listed here with the reason why not', async () => {
    expect(
      (
        await offenders(`select n.nspname || '.' || c.relname as found
          from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
          where n.nspname in ${OURS} and c.relkind in ('r', 'p')
            and not exists (select from pg_policy as p where p.polrelid = c.oid) order by 1`)
      ).filter((table) => WITHOUT_POLICY[table] === undefined),
    ).toEqual([])
  })

  test('has a primary key', async () => {
    expect(
      await offenders(`select c.oid::regclass::text as found from pg_class as c
        where c.relnamespace::regnamespace::text in ${OURS} and c.relkind in ('r', 'p')
          and not exists (select from pg_index as i where i.indrelid = c.oid and i.indisprimary)`),
    ).toEqual([])
  })

  test('belongs to an owner who is not a superuser', async () => {
    expect(
      await offenders(`select c.oid::regclass::text as found from pg_class as c join pg_roles as r on r.oid = c.relowner
        where c.relnamespace::regnamespace::text in ${OURS} and (r.rolsuper or r.rolname <> 'project_owner')`),
    ).toEqual([])
  })

  test('has each foreign key at the head of an index', async () => {
    expect(
      await offenders(`select k.conrelid::regclass || ' ' || k.conname as found from pg_constraint as k
        where k.contype = 'f' and k.connamespace::regnamespace::text in ${OURS} and not exists (
          select from pg_index as i where i.indrelid = k.conrelid and i.indpred is null
            and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`),
    ).toEqual([])
  })

  test('refers to accounts by their id alone, and goes with them, or keeps them as who moved coins', async () => {
    expect(
      await offenders(`select k.conrelid::regclass || ' ' || k.conname as found
        from pg_constraint as k join pg_class as target on target.oid = k.confrelid
        where k.contype = 'f' and k.connamespace::regnamespace::text in ${OURS}
          and target.relnamespace = 'auth'::regnamespace
          and (k.confrelid <> 'auth.users'::regclass or k.confdeltype <>
              case when k.conname ~ '_(created|processed|completed|returned|voided|opened)_by_fkey$' then 'r' else 'c' end
            or (select array_agg(a.attname::text) from pg_attribute as a
              where a.attrelid = k.confrelid and a.attnum = any (k.confkey)) <> '{id}')`),
    ).toEqual([])
  })

  test('has no two indexes that are the same', async () => {
    expect(
      await offenders(`select min(indexrelid::regclass::text) as found from pg_index
        where indrelid::regclass::text !~ '^(pg_|information_schema)'
        group by indrelid, indkey::text, indclass::text, indoption::text,
          coalesce(pg_get_expr(indpred, indrelid), ''), coalesce(pg_get_expr(indexprs, indrelid), '')
        having count(*) > 1`),
    ).toEqual([])
  })

  test('has no column of a type that a dump cannot carry', async () => {
    expect(
      await offenders(`select c.oid::regclass || '.' || a.attname as found
        from pg_attribute as a join pg_class as c on c.oid = a.attrelid
        where c.relnamespace::regnamespace::text in ${OURS} and c.relkind = 'r' and a.attnum > 0
          and a.atttypid::regtype::text like 'reg%'`),
    ).toEqual([])
  })
})

test('schema public holds tables and functions only: no view, foreign table, sequence or extension', async () => {
  expect(
    await offenders(`select c.relname as found from pg_class as c
      where c.relnamespace = 'public'::regnamespace and c.relkind not in ('r', 'i')
      union all select extname from pg_extension where extnamespace = 'public'::regnamespace`),
  ).toEqual([])
})
