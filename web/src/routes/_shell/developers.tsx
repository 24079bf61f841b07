import { createFileRoute } from '@tanstack/react-router'
import { DevelopersScreen } from '#features/account/integrations/DevelopersScreen.tsx'

export const Route = createFileRoute('/_shell/developers')({
  staticData: { reading: true },
  component: DevelopersScreen,
})
