// Records the last time the accessibility checker found nothing on any page; the accessibility statement shows this record.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, Suite, TestCase } from '@playwright/test/reporter'
import axe from 'axe-core'
import { ADDRESSES } from './addresses.ts'
import { WIDTHS } from './screenshots.ts'

const RECORD = join(import.meta.dirname, '../web/src/features/home/landing/accessibility-check.json')

/** Writes the record if every test that visits all pages ran in every width and colour scheme, and passed. */
export default class AccessibilityRecord implements Reporter {
  private visits: TestCase[] = []

  onBegin(_: unknown, suite: Suite): void {
    this.visits = suite
      .allTests()
      .filter(
        ({ location, title }) => /routes\.deep\.test/.test(location.file) && /^every address/.test(title),
      )
  }

  onEnd(): void {
    const passed = this.visits.filter((test) => test.outcome() === 'expected')
    if (process.env.TEST_DEEP === undefined || passed.length < ADDRESSES.length) return
    const record = {
      day: new Date().toISOString().slice(0, 10),
      axe: axe.version,
      pages: ADDRESSES.flatMap(([, , routes]) => routes).length,
      widths: Object.values(WIDTHS).map(({ width }) => width),
    }
    const written = `${JSON.stringify(record, undefined, 2)}\n`.replace(
      /\[\s+(.*?)\s+\]/s,
      (_, widths) => `[${widths.replaceAll(/\s+/g, ' ')}]`,
    )
    if (written !== readFileSync(RECORD, 'utf8')) writeFileSync(RECORD, written)
  }
}
