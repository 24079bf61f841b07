import { createFileRoute } from '@tanstack/react-router'
import { OpenLink } from '../-OpenLink.tsx'

/** The old address of private plans' links, kept for links already shared. */
export const Route = createFileRoute('/_shell/_signed-in/join/$token')({
  component: () => <OpenLink token={Route.useParams().token} />,
})
