import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { loadSavings, MySavings } from './-my-savings.tsx'
import { savingsSearch } from './-savings-search.ts'

export const Route = createFileRoute('/_shell/_signed-in/my-savings')({
  staticData: { keepsSight: true, signInNotice: { title: t`Please sign in to view your savings.` } },
  validateSearch: savingsSearch,
  loader: ({ context: { queryClient: cache, user } }) => loadSavings(cache, user.id),
  component: MySavings,
})
