import { describe, expect, test } from 'vitest'
import { ownDatabase } from './people.ts'

const { db } = await ownDatabase()

/** Policies for which `condition` holds; `body` is their whole condition. */
const policiesWhere = async (condition: string) =>
  (
    await db.query<{ found: string }>(`select tablename || ': ' || policyname as found
      from (select *, coalesce(qual, '') || ' ' || coalesce(with_check, '') as body from pg_policies) as p
      where schemaname in ('public', 'private') and (${condition}) order by 1`)
  ).map(({ found }) => found)

describe('every policy', () => {
  test('is for signed-in people; only the catalogue is open to visitors', async () => {
    expect(await policiesWhere(`roles <> '{authenticated}'`)).toEqual([
      'service_provider_data: Everyone reads the current catalogue',
    ])
  })

  test('asks who is signed in once per statement, not once per row', async () => {
    const once = String.raw`\(\s*select\s+auth\.(uid|jwt|role|email)\(\)`
    expect(
      await policiesWhere(`regexp_replace(body, '${once}', '', 'gi') ~ 'auth\\.(uid|jwt|role|email)\\(\\)'
        or body ~ 'current_setting'`),
    ).toEqual([])
  })

  test('grants nothing for what a person may write into their own account', async () => {
    expect(await policiesWhere(`body ~ 'user_meta_?data'`)).toEqual([])
  })

  test('that lets somebody write has a condition', async () => {
    expect(
      await policiesWhere(
        `cmd <> 'SELECT' and (coalesce(qual, '') = 'true' or coalesce(with_check, '') = 'true')`,
      ),
    ).toEqual([])
  })

  test('for updates looks at the row before and after', async () => {
    expect(await policiesWhere(`cmd = 'UPDATE' and (qual is null or with_check is null)`)).toEqual([])
  })

  test('is permissive and the only one for its command', async () => {
    expect(
      await policiesWhere(`cmd = 'ALL' or permissive <> 'PERMISSIVE' or exists (
        select from pg_policies as other where other.schemaname = p.schemaname and other.tablename = p.tablename
          and other.policyname <> p.policyname and other.cmd = p.cmd and other.roles && p.roles)`),
    ).toEqual([])
  })

  test('for updates and deletes can find its row, because one for reading is beside it', async () => {
    expect(
      await policiesWhere(`cmd in ('UPDATE', 'DELETE') and not exists (
        select from pg_policies as other where other.schemaname = p.schemaname
          and other.tablename = p.tablename and other.cmd = 'SELECT')`),
    ).toEqual([])
  })
})
