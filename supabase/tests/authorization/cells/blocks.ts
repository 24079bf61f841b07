import { type Cells, NOBODY, signedIn } from '../cells.ts'

export const blocks: Cells = {
  tables: {
    blocked_people: {
      rows: { own: 'user_id = :me' },
      // The owner has blocked the former member of the other plan.
      select: ['42501', 'none', 'none', 'none', 'none', 'own', 'none', 'none', 'none'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
  },
  functions: {
    block_person: {
      'somebody else': ['block_person(:nina)', signedIn('yes')],
      'nobody there is': ['block_person(gen_random_uuid())', signedIn('PT404')],
    },
    unblock_person: { 'whom they have blocked or not': ['unblock_person(:nina)', signedIn('yes')] },
  },
}
