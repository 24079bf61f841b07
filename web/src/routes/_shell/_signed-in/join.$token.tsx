import { createFileRoute } from '@tanstack/react-router'
import { OpenLink } from '../-OpenLink.tsx'

/** Where the links of private plans led when they were longer. */
export const Route = createFileRoute('/_shell/_signed-in/join/$token')({
  component: () => <OpenLink token={Route.useParams().token} />,
})
