import { type Cells, signedIn } from '../cells.ts'

export const standing: Cells = {
  functions: {
    standing_of: {
      'of the owner': [`standing_of(array[:olivia::uuid])`, signedIn('yes')],
      'of who has blocked them': ['standing_of(array[:bea::uuid])', signedIn('yes')],
      'of nobody there is': [`standing_of(array[gen_random_uuid()])`, signedIn('nothing')],
    },
    get_standing_levels: { 'what levels take': ['get_standing_levels()', signedIn('yes')] },
  },
}
