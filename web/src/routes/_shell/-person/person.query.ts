import * as z from 'zod/mini'
import { offerSchema } from '#features/plans/browse/market.queries.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const personSchema = z.object({
  id: z.string(),
  /** The first one alone. */
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  /** ISO timestamp. */
  since: z.string(),
  level: z.enum(['new', 'proven', 'trusted']),
  /** Of 1 to 5, over as many people; null while nobody has written a review. */
  rating: z.nullable(z.number()),
  reviewers: z.number(),
  /** Those the reader may find. */
  plans: z.array(offerSchema),
})

/** Somebody as whoever decides about them may know them. */
export type PersonPage = z.infer<typeof personSchema>

/** Somebody's page as this reader sees it, null being a visitor; null for nobody they may meet. */
export const personQuery = (personId: string, readerId: string | null) =>
  query({
    key: ['people', personId, readerId ?? 'visitor'],
    load: async (signal): Promise<PersonPage | null> => {
      // An address that was mistyped leads to nobody.
      if (!z.guid().safeParse(personId).success) return null
      return z.nullable(personSchema).parse(await rpc('get_person', { p_person_id: personId }, signal))
    },
  })
