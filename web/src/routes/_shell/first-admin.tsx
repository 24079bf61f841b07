import { createFileRoute, useRouterState } from '@tanstack/react-router'
import { FirstAdminScreen } from '#features/account/auth/FirstAdminScreen.tsx'

/**
 * The page whose link a new site's server prints. The link's secret is in the hash, which browsers do not send to a
 * server.
 */
export const Route = createFileRoute('/_shell/first-admin')({ component: FirstAdmin })

function FirstAdmin() {
  const fragment = useRouterState({ select: ({ location }) => location.hash })
  return <FirstAdminScreen secret={new URLSearchParams(fragment).get('token') ?? ''} />
}
