import { createFileRoute, Outlet, useMatches } from '@tanstack/react-router'
import { Shell } from './-shell/Shell.tsx'

export const Route = createFileRoute('/_shell')({ component: Framed })

function Framed() {
  const plain = useMatches({ select: (matches) => matches.at(-1)?.staticData.plain ?? false })
  return (
    <Shell plain={plain}>
      <Outlet />
    </Shell>
  )
}
