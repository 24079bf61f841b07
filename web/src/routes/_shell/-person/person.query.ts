import * as z from 'zod/mini'
import { type Offer, offerSchema, withCycle } from '#features/plans/browse/market.queries.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const personSchema = z.object({
  id: z.string(),
  /** The first name only. */
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  /** ISO timestamp. */
  since: z.string(),
  level: z.enum(['new', 'proven', 'trusted']),
  /** From 1 to 5; null without reviews. */
  rating: z.nullable(z.number()),
  reviewers: z.number(),
  /** The person's plans that the reader may see. */
  plans: z.array(offerSchema),
})

export type PersonPage = Omit<z.infer<typeof personSchema>, 'plans'> & { plans: Offer[] }

/** A person's page for this reader (null for a visitor). Null for people hidden from the reader. */
export const personQuery = (personId: string, readerId: string | null) =>
  query({
    key: ['people', personId, readerId ?? 'visitor'],
    load: async (signal): Promise<PersonPage | null> => {
      // The id comes from the URL and may be mistyped; the database would refuse a malformed one.
      if (!z.guid().safeParse(personId).success) return null
      const page = z.nullable(personSchema).parse(await rpc('get_person', { p_person_id: personId }, signal))
      return page && { ...page, plans: page.plans.map(withCycle) }
    },
  })
