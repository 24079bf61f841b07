// The privacy page against the database: every table about people is in a category that the page shows. The accessibility statement
// against the last check by e2e/routes.deep.test.ts.
//
// A table is about people if a chain of foreign keys leads from it to an account, or if a column names a person, a session or an
// address without a foreign key.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { personalData } from '#features/home/landing/personal-data.ts'
import { openApp } from '../app.tsx'

const server = await testServer()

/** These details are the operator's own, published as the imprint. */
const IMPRINT = 'public.operator'

const NAMED_TABLES = () =>
  personalData().flatMap(({ tables }) =>
    tables.split(/\s+/).map((name) => (name.includes('.') ? name : `public.${name}`)),
  )

it('names every table about people, and no table that is gone', async () => {
  const read = async (query: string) =>
    (await server.db.query<{ name: string }>(query)).map(({ name }) => name)
  const all = `select c.oid, n.nspname || '.' || c.relname as name from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname in ('public', 'private', 'auth')`
  const aboutPeople = await read(`with recursive tables as (${all}), linked (oid) as (
      select oid from tables where name in ('auth.users', 'private.user_profiles')
      union select conrelid from pg_constraint as k join linked on linked.oid = k.confrelid where k.contype = 'f')
    select distinct name from tables where oid in (select oid from linked) or exists (
      select from pg_attribute where attrelid = tables.oid and attnum > 0 and not attisdropped
        and attname ~ '((^|_)(user|person|member|owner|reader|session|actor|buyer|recipient)(_id)?$)|mail|phone|(^|_)ip(_|$)')
    order by 1`)
  expect(aboutPeople.length).toBeGreaterThan(100)
  expect(aboutPeople.filter((name) => name !== IMPRINT && !NAMED_TABLES().includes(name))).toEqual([])
  const known = await read(all)
  expect(NAMED_TABLES().filter((name) => !known.includes(name))).toEqual([])
  expect(new Set(NAMED_TABLES()).size).toBe(NAMED_TABLES().length)
})

it('shows each category with its purpose, legal basis and term', async () => {
  await openApp(server, '/privacy')
  await screen.findByRole('heading', { level: 1, name: 'Privacy' })
  for (const { title, kept, purpose } of personalData()) {
    const entry = within(
      screen.getByRole('heading', { level: 3, name: title }).closest('section') as HTMLElement,
    )
    expect(entry.getByText(kept).tagName).toBe('DD')
    expect(entry.getByText(purpose)).toBeTruthy()
    expect(
      entry.getByText(/^(Your consent|Our (contract|legal duty|legitimate interest)) \(GDPR/),
    ).toBeTruthy()
  }
})

it('states the last accessibility check, whose pages and widths are those of the browser tests', async () => {
  const [record, sizes, tree] = await Promise.all(
    [
      'web/src/features/home/landing/accessibility-check.json',
      'e2e/screenshots.ts',
      'web/src/routeTree.gen.ts',
    ].map((name) => readFile(resolve(import.meta.dirname, '../../..', name), 'utf8')),
  )
  const check = JSON.parse(record ?? '') as { day: string; axe: string; pages: number; widths: number[] }
  expect(check.widths).toEqual(
    Array.from(sizes?.matchAll(/width: (\d+)/g) ?? [], ([, width]) => Number(width)),
  )
  const routes = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree ?? '')?.[1]?.match(/typeof/g) ?? []
  expect(check.pages).toBeLessThanOrEqual(routes.length)
  expect(new Date(check.day) <= new Date()).toBe(true)
  await openApp(server, '/accessibility')
  const { year, month, day } = /(?<year>\d+)-(?<month>\d+)-0?(?<day>\d+)/.exec(check.day)?.groups ?? {}
  const name = new Date(Number(year), Number(month) - 1).toLocaleString('en', { month: 'long' })
  const said = await screen.findByText(/axe/)
  for (const fact of [
    `${day} ${name} ${year}`,
    `axe ${check.axe}`,
    `${check.pages} pages`,
    ...check.widths.map(String),
  ])
    expect(said.textContent).toContain(fact)
})
