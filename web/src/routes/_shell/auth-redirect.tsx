import { createFileRoute } from '@tanstack/react-router'
import { AuthRedirectScreen } from '#features/auth/AuthRedirectScreen.tsx'

export const Route = createFileRoute('/_shell/auth-redirect')({ component: AuthRedirectScreen })
