// Every path in a language a third longer than English, on the smallest phone, and in one written from right to left.
import { expect } from '@playwright/test'
import { ADDRESSES, addressOf } from './addresses.ts'
import { expectToFit, SMALL } from './pseudo-language.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

for (const [people, as, routes] of ADDRESSES)
  test(`every address of ${people} fits in any language`, async ({ open, potluck }) => {
    const addresses: string[] = []
    for (const route of routes) addresses.push(await addressOf(route, potluck))
    for (const [viewport, how] of [
      [SMALL, 'longer'],
      [WIDTHS.phone, 'right to left'],
      [WIDTHS.desktop, 'right to left'],
    ] as const) {
      const { page, complaints } = await open({ viewport, ...(as && { as }) })
      await expectToFit(page, addresses, how)
      const home = await page.getByRole('banner').getByRole('link').first().boundingBox()
      expect((home?.x ?? 0) > viewport.width / 2).toBe(how === 'right to left')
      // The browser itself logs a 404 for a link whose secret is unknown.
      const unknown = complaints.filter((complaint) => !complaint.includes('404'))
      complaints.splice(0, complaints.length, ...unknown)
    }
  })
