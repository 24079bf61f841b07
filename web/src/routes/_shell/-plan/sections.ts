import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { given } from '#lib/search.ts'

/** The sections of a plan's page for its owner. */
export const SECTIONS = {
  people: t`People`,
  money: t`Money`,
  access: t`Access`,
  settings: t`Settings`,
} as const

export type Section = keyof typeof SECTIONS

/** The search parameters of a plan's page. Without a section, the first one is shown. */
export const planSearch = z.object({ section: given(z.enum(['people', 'money', 'access', 'settings'])) })
