import { createFileRoute } from '@tanstack/react-router'
import { OpenLink } from '../-OpenLink.tsx'

/** The former path of private plans' links, which still works for links that were shared before. */
export const Route = createFileRoute('/_shell/_signed-in/join/$token')({
  component: () => <OpenLink token={Route.useParams().token} />,
})
