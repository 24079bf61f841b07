import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import * as z from 'zod/mini'
import { visibleLength } from '#domain/text.ts'
import { language } from '#lib/language.ts'

/** Labels of the request categories, by stored value. There are more than in the catalogue. */
const CATEGORY_NAMES = {
  Streaming: t`Streaming`,
  Music: t`Music`,
  Gaming: t`Gaming`,
  Productivity: t`Productivity`,
  Security: t`Security`,
  'Cloud Storage': t`Cloud Storage`,
  Design: t`Design`,
  Education: t`Education`,
  Fitness: t`Fitness`,
  News: t`News`,
}
export type RequestCategory = keyof typeof CATEGORY_NAMES
export const REQUEST_CATEGORIES = Object.keys(CATEGORY_NAMES) as RequestCategory[]

/** The label of a stored category; an unknown one is returned unchanged. */
export const requestCategoryName = (stored: string) =>
  REQUEST_CATEGORIES.includes(stored as RequestCategory) ? CATEGORY_NAMES[stored as RequestCategory] : stored

// The database uses the same regular expression.
const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\]+\.[^\s/?#@\\]+([/?#]\S*)?$/i
const text = (least: number, most: number, tooShort: string, tooLong: string) =>
  z.string().check(
    z.trim(),
    z.refine((value) => visibleLength(value) >= least, tooShort),
    z.refine((value) => [...value].length <= most, tooLong),
  )

/** An empty number field yields '', which gets the same message as a number that is too low. */
const number = (least: number, tooLow: string) => z.number({ error: tooLow }).check(z.minimum(least, tooLow))

/** Features, typed one per line. */
const features = z.pipe(
  z.pipe(
    z.string(),
    z.transform((lines) =>
      lines
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => visibleLength(line) > 0),
    ),
  ),
  z
    .array(
      z
        .string()
        .check(
          z.maxLength(LIMITS.longestFeature, t`A feature can be at most ${LIMITS.longestFeature} characters`),
        ),
    )
    .check(z.maxLength(LIMITS.mostFeatures, t`There can be at most ${LIMITS.mostFeatures} features`)),
)

const offeredPlan = z.object({
  name: text(
    1,
    LIMITS.longestPlanName,
    t`Plan name is required`,
    t`Plan name can be at most ${LIMITS.longestPlanName} characters`,
  ),
  /** EUR for one cycle. */
  price: z.pipe(
    number(0, t`Price must be positive`).check(
      z.maximum(
        LIMITS.mostPlanPrice,
        t`Price can be at most ${LIMITS.mostPlanPrice.toLocaleString(language)}`,
      ),
    ),
    z.transform((price) => Math.round(price * 100) / 100),
  ),
  cycle: z.enum(['monthly', 'yearly']),
  maxMembers: number(1, t`Max members must be at least 1`).check(
    z.refine(Number.isInteger, t`Max members must be a whole number`),
    z.maximum(
      LIMITS.mostPlanMembers,
      t`Max members must be a whole number up to ${LIMITS.mostPlanMembers.toLocaleString(language)}`,
    ),
  ),
  features,
})

/** The rules of the request form, with their messages. */
export const providerRequestSchema = z.object({
  providerName: text(
    LIMITS.shortestProviderName,
    LIMITS.longestProviderName,
    t`Provider name must be at least ${LIMITS.shortestProviderName} characters`,
    t`Provider name can be at most ${LIMITS.longestProviderName} characters`,
  ),
  category: z.enum(REQUEST_CATEGORIES, { error: t`Please select a category` }),
  website: z
    .string()
    .check(
      z.trim(),
      z.maxLength(LIMITS.longestWebsite, t`Please enter a valid URL`),
      z.regex(WEB_ADDRESS, t`Please enter a valid URL`),
    ),
  description: text(
    LIMITS.shortestProviderDescription,
    LIMITS.longestProviderDescription,
    t`Description must be at least ${LIMITS.shortestProviderDescription} characters`,
    t`Description can be at most ${LIMITS.longestProviderDescription} characters`,
  ),
  plans: z.array(offeredPlan).check(z.minLength(1, t`At least one plan is required`)),
})

/** A valid request, trimmed and rounded. */
export type NewProviderRequest = z.infer<typeof providerRequestSchema>
export type OfferedPlan = NewProviderRequest['plans'][number]
