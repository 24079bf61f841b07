import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '#features/account/auth/ResetPasswordScreen.tsx'

export const Route = createFileRoute('/_shell/reset-password')({ component: ResetPasswordScreen })
