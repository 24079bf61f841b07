// Generated from the migrations by `npm run types`. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      admin_role_requests: {
        Row: {
          email: string
          id: string
          name: string
          reason: string
          requested_at: string
          reviewed_at: string | null
          status: 'pending' | 'approved' | 'rejected'
          user_id: string
        }
        Insert: {
          email?: string
          id?: string
          name?: string
          reason?: string
          requested_at?: string
          reviewed_at?: string | null
          status?: 'pending' | 'approved' | 'rejected'
          user_id?: string
        }
        Update: {
          email?: string
          id?: string
          name?: string
          reason?: string
          requested_at?: string
          reviewed_at?: string | null
          status?: 'pending' | 'approved' | 'rejected'
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'admin_role_requests_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      app_settings: {
        Row: {
          adjustment_ceiling: number
          fee_rate: number
          id: boolean
          require_second_factor: boolean
          review_new_plans: boolean
          updated_at: string
          updated_by: string | null
        }
        Insert: {
          adjustment_ceiling?: number
          fee_rate?: number
          id?: boolean
          require_second_factor?: boolean
          review_new_plans?: boolean
          updated_at?: string
          updated_by?: string | null
        }
        Update: {
          adjustment_ceiling?: number
          fee_rate?: number
          id?: boolean
          require_second_factor?: boolean
          review_new_plans?: boolean
          updated_at?: string
          updated_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'app_settings_updated_by_fkey'
            columns: ['updated_by']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      blocked_people: {
        Row: {
          blocked_at: string
          blocked_id: string
          user_id: string
        }
        Insert: {
          blocked_at?: string
          blocked_id: string
          user_id: string
        }
        Update: {
          blocked_at?: string
          blocked_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'blocked_people_blocked_id_fkey'
            columns: ['blocked_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'blocked_people_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      chat_participants: {
        Row: {
          conversation_id: string
          has_unread: boolean
          id: string
          user_id: string
        }
        Insert: {
          conversation_id: string
          has_unread?: boolean
          id?: string
          user_id: string
        }
        Update: {
          conversation_id?: string
          has_unread?: boolean
          id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'chat_participants_conversation_id_fkey'
            columns: ['conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'chat_participants_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      closed_providers: {
        Row: {
          closed_at: string
          provider: string
          reason: string
        }
        Insert: {
          closed_at?: string
          provider: string
          reason: string
        }
        Update: {
          closed_at?: string
          provider?: string
          reason?: string
        }
        Relationships: []
      }
      coin_transactions: {
        Row: {
          amount: number
          created_at: string
          created_by: string | null
          description: string
          id: string
          transaction_type: 'earned' | 'spent' | 'withdrawn' | 'refunded'
          user_id: string
        }
        Insert: {
          amount: number
          created_at?: string
          created_by?: string | null
          description: string
          id?: string
          transaction_type: 'earned' | 'spent' | 'withdrawn' | 'refunded'
          user_id: string
        }
        Update: {
          amount?: number
          created_at?: string
          created_by?: string | null
          description?: string
          id?: string
          transaction_type?: 'earned' | 'spent' | 'withdrawn' | 'refunded'
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'coin_transactions_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      conversations: {
        Row: {
          archived: boolean
          created_at: string
          id: string
          is_question: boolean
          member_id: string
          owner_id: string
          question_until: string | null
          subscription_id: string
        }
        Insert: {
          archived?: boolean
          created_at?: string
          id?: string
          is_question?: boolean
          member_id: string
          owner_id: string
          question_until?: string | null
          subscription_id: string
        }
        Update: {
          archived?: boolean
          created_at?: string
          id?: string
          is_question?: boolean
          member_id?: string
          owner_id?: string
          question_until?: string | null
          subscription_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'conversations_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'conversations_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'conversations_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
        ]
      }
      member_payments: {
        Row: {
          amount: number
          announced_at: string | null
          attempts: number
          card: number
          claimed_at: string | null
          closed_at: string | null
          coins: number
          created_at: string
          due_at: string
          earned_fee: number
          earned_share: number
          earned_until: string | null
          ends_at: string | null
          fee: number
          id: string
          member_id: string
          next_attempt_at: string | null
          note: string | null
          nudged_at: string | null
          number: number
          owed_back: number
          owner_id: string
          paid_at: string | null
          plan_name: string
          receipt_number: string | null
          reference: string
          reminders: number
          repaid_at: string | null
          returned_fee: number
          returned_share: number
          seat_id: string
          settlement: 'direct' | 'potluck'
          share: number
          starts_at: string | null
          status: 'due' | 'claimed' | 'charging' | 'needs-action' | 'failed' | 'paid' | 'closed' | 'given-back' | 'cancelled'
          subscription_id: string
        }
        Insert: {
          amount?: never
          announced_at?: string | null
          attempts?: number
          card?: number
          claimed_at?: string | null
          closed_at?: string | null
          coins?: number
          created_at?: string
          due_at: string
          earned_fee?: number
          earned_share?: number
          earned_until?: string | null
          ends_at?: string | null
          fee: number
          id?: string
          member_id: string
          next_attempt_at?: string | null
          note?: string | null
          nudged_at?: string | null
          number: number
          owed_back?: number
          owner_id: string
          paid_at?: string | null
          plan_name: string
          receipt_number?: string | null
          reference?: never
          reminders?: number
          repaid_at?: string | null
          returned_fee?: number
          returned_share?: number
          seat_id: string
          settlement: 'direct' | 'potluck'
          share: number
          starts_at?: string | null
          status: 'due' | 'claimed' | 'charging' | 'needs-action' | 'failed' | 'paid' | 'closed' | 'given-back' | 'cancelled'
          subscription_id: string
        }
        Update: {
          amount?: never
          announced_at?: string | null
          attempts?: number
          card?: number
          claimed_at?: string | null
          closed_at?: string | null
          coins?: number
          created_at?: string
          due_at?: string
          earned_fee?: number
          earned_share?: number
          earned_until?: string | null
          ends_at?: string | null
          fee?: number
          id?: string
          member_id?: string
          next_attempt_at?: string | null
          note?: string | null
          nudged_at?: string | null
          number?: number
          owed_back?: number
          owner_id?: string
          paid_at?: string | null
          plan_name?: string
          receipt_number?: string | null
          reference?: never
          reminders?: number
          repaid_at?: string | null
          returned_fee?: number
          returned_share?: number
          seat_id?: string
          settlement?: 'direct' | 'potluck'
          share?: number
          starts_at?: string | null
          status?: 'due' | 'claimed' | 'charging' | 'needs-action' | 'failed' | 'paid' | 'closed' | 'given-back' | 'cancelled'
          subscription_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'member_payments_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'member_payments_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      messages: {
        Row: {
          content: string
          conversation_id: string
          created_at: string
          id: string
          message_type: 'user' | 'announcement' | 'system'
          metadata: Json
          sender_id: string
        }
        Insert: {
          content?: string
          conversation_id: string
          created_at?: string
          id?: string
          message_type?: 'user' | 'announcement' | 'system'
          metadata?: Json
          sender_id?: string
        }
        Update: {
          content?: string
          conversation_id?: string
          created_at?: string
          id?: string
          message_type?: 'user' | 'announcement' | 'system'
          metadata?: Json
          sender_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'messages_conversation_id_fkey'
            columns: ['conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['id']
          },
        ]
      }
      payment_disputes: {
        Row: {
          amount: number
          charged: number
          closed_at: string | null
          due_by: string | null
          from_coins: number
          from_fee: number
          from_guarantee: number
          from_refunds: number
          from_share: number
          given_back: number
          id: string
          member_id: string
          opened_at: string
          owner_id: string
          payment_id: string
          plan_name: string
          reason: string
          status: string
        }
        Insert: {
          amount: number
          charged: number
          closed_at?: string | null
          due_by?: string | null
          from_coins?: number
          from_fee?: number
          from_guarantee?: number
          from_refunds?: number
          from_share?: number
          given_back: number
          id: string
          member_id: string
          opened_at?: string
          owner_id: string
          payment_id: string
          plan_name: string
          reason: string
          status: string
        }
        Update: {
          amount?: number
          charged?: number
          closed_at?: string | null
          due_by?: string | null
          from_coins?: number
          from_fee?: number
          from_guarantee?: number
          from_refunds?: number
          from_share?: number
          given_back?: number
          id?: string
          member_id?: string
          opened_at?: string
          owner_id?: string
          payment_id?: string
          plan_name?: string
          reason?: string
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: 'payment_disputes_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'payment_disputes_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      payment_methods: {
        Row: {
          brand: string
          chosen_at: string
          created_at: string
          exp_month: number
          exp_year: number
          id: string
          last4: string
          provider: string
          reference: string
          user_id: string
        }
        Insert: {
          brand: string
          chosen_at?: string
          created_at?: string
          exp_month: number
          exp_year: number
          id?: string
          last4: string
          provider: string
          reference: string
          user_id: string
        }
        Update: {
          brand?: string
          chosen_at?: string
          created_at?: string
          exp_month?: number
          exp_year?: number
          id?: string
          last4?: string
          provider?: string
          reference?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'payment_methods_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      payment_wishes: {
        Row: {
          holder: string | null
          iban: string | null
          kind: 'iban' | 'link' | 'text'
          link: string | null
          note: string | null
          updated_at: string
          user_id: string
        }
        Insert: {
          holder?: string | null
          iban?: string | null
          kind: 'iban' | 'link' | 'text'
          link?: string | null
          note?: string | null
          updated_at?: string
          user_id?: string
        }
        Update: {
          holder?: string | null
          iban?: string | null
          kind?: 'iban' | 'link' | 'text'
          link?: string | null
          note?: string | null
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'payment_wishes_user_id_fkey'
            columns: ['user_id']
            isOneToOne: true
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      plan_departures: {
        Row: {
          subscription_id: string
        }
        Insert: {
          subscription_id: string
        }
        Update: {
          subscription_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'plan_departures_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: true
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
        ]
      }
      problem_statements: {
        Row: {
          at: string
          kind: 'reported' | 'fixed' | 'not-fixed' | 'contested' | 'to-staff' | 'works' | 'withdrawn' | 'for-owner' | 'for-member' | 'owner-silent' | 'member-silent' | 'staff-silent' | 'owner-ended'
          line: number
          note: string | null
          person_id: string | null
          problem_id: string
        }
        Insert: {
          at?: string
          kind: 'reported' | 'fixed' | 'not-fixed' | 'contested' | 'to-staff' | 'works' | 'withdrawn' | 'for-owner' | 'for-member' | 'owner-silent' | 'member-silent' | 'staff-silent' | 'owner-ended'
          line: number
          note?: string | null
          person_id?: string | null
          problem_id: string
        }
        Update: {
          at?: string
          kind?: 'reported' | 'fixed' | 'not-fixed' | 'contested' | 'to-staff' | 'works' | 'withdrawn' | 'for-owner' | 'for-member' | 'owner-silent' | 'member-silent' | 'staff-silent' | 'owner-ended'
          line?: number
          note?: string | null
          person_id?: string | null
          problem_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'problem_statements_person_id_fkey'
            columns: ['person_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'problem_statements_problem_id_fkey'
            columns: ['problem_id']
            isOneToOne: false
            referencedRelation: 'seat_problems'
            referencedColumns: ['id']
          },
        ]
      }
      provider_requests: {
        Row: {
          category: string
          created_at: string
          description: string
          id: string
          plans_data: Json
          provider_name: string
          status: 'pending' | 'approved' | 'rejected'
          user_id: string
          website_url: string
        }
        Insert: {
          category: string
          created_at?: string
          description?: string
          id?: string
          plans_data?: Json
          provider_name?: string
          status?: 'pending' | 'approved' | 'rejected'
          user_id?: string
          website_url: string
        }
        Update: {
          category?: string
          created_at?: string
          description?: string
          id?: string
          plans_data?: Json
          provider_name?: string
          status?: 'pending' | 'approved' | 'rejected'
          user_id?: string
          website_url?: string
        }
        Relationships: [
          {
            foreignKeyName: 'provider_requests_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      seat_problems: {
        Row: {
          closed_at: string | null
          decided_by: string | null
          decision: string | null
          due_at: string | null
          fault: string | null
          fixed_at: string | null
          id: string
          lost_until: string | null
          member_id: string
          note: string | null
          outcome: 'fixed' | 'withdrawn' | 'for-owner' | 'for-member' | 'owner-silent' | 'owner-ended' | 'staff-silent' | null
          owner_id: string
          payment_id: string
          plan_name: string
          reason: 'sign-in' | 'password' | 'invitation' | 'in-use' | 'removed' | 'other'
          refusals: number
          reported_at: string
          seat_id: string
          status: 'owner' | 'member' | 'staff' | 'closed'
          subscription_id: string
        }
        Insert: {
          closed_at?: string | null
          decided_by?: string | null
          decision?: string | null
          due_at?: string | null
          fault?: never
          fixed_at?: string | null
          id?: string
          lost_until?: string | null
          member_id: string
          note?: string | null
          outcome?: 'fixed' | 'withdrawn' | 'for-owner' | 'for-member' | 'owner-silent' | 'owner-ended' | 'staff-silent' | null
          owner_id: string
          payment_id: string
          plan_name: string
          reason: 'sign-in' | 'password' | 'invitation' | 'in-use' | 'removed' | 'other'
          refusals?: number
          reported_at?: string
          seat_id: string
          status: 'owner' | 'member' | 'staff' | 'closed'
          subscription_id: string
        }
        Update: {
          closed_at?: string | null
          decided_by?: string | null
          decision?: string | null
          due_at?: string | null
          fault?: never
          fixed_at?: string | null
          id?: string
          lost_until?: string | null
          member_id?: string
          note?: string | null
          outcome?: 'fixed' | 'withdrawn' | 'for-owner' | 'for-member' | 'owner-silent' | 'owner-ended' | 'staff-silent' | null
          owner_id?: string
          payment_id?: string
          plan_name?: string
          reason?: 'sign-in' | 'password' | 'invitation' | 'in-use' | 'removed' | 'other'
          refusals?: number
          reported_at?: string
          seat_id?: string
          status?: 'owner' | 'member' | 'staff' | 'closed'
          subscription_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'seat_problems_decided_by_fkey'
            columns: ['decided_by']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'seat_problems_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'seat_problems_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'seat_problems_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: false
            referencedRelation: 'member_payments'
            referencedColumns: ['id']
          },
        ]
      }
      service_provider_data: {
        Row: {
          created_at: string
          data: Json
          id: string
          is_current: boolean
          is_readable: boolean | null
        }
        Insert: {
          created_at?: string
          data: Json
          id?: string
          is_current?: boolean
          is_readable?: never
        }
        Update: {
          created_at?: string
          data?: Json
          id?: string
          is_current?: boolean
          is_readable?: never
        }
        Relationships: []
      }
      shared_subscriptions: {
        Row: {
          billing_cycle: 'monthly' | 'yearly'
          catalogue_plan_id: string
          category: 'streaming' | 'music' | 'gaming' | 'productivity' | 'security' | 'other'
          created_at: string
          currency: string
          current_members: number
          description: string
          fee_rate: number
          id: string
          instant_from: 'new' | 'proven' | 'trusted' | null
          is_full: boolean
          is_private: boolean
          kept_places: number
          logo: string | null
          max_members: number
          member_price: number
          monthly_cost: number
          name: string
          next_payment: string | null
          owner: string
          owner_id: string
          owner_max_members: number
          provider: string
          provider_max_members: number
          settlement: 'direct' | 'potluck'
          status: 'active' | 'pending' | 'rejected'
          total_price: number
          waiting: number
        }
        Insert: {
          billing_cycle?: 'monthly' | 'yearly'
          catalogue_plan_id?: string
          category?: 'streaming' | 'music' | 'gaming' | 'productivity' | 'security' | 'other'
          created_at?: string
          currency?: string
          current_members?: number
          description?: string
          fee_rate?: number
          id?: string
          instant_from?: 'new' | 'proven' | 'trusted' | null
          is_full?: never
          is_private?: boolean
          kept_places?: number
          logo?: string | null
          max_members?: number
          member_price?: number
          monthly_cost?: never
          name?: string
          next_payment?: string | null
          owner?: string
          owner_id?: string
          owner_max_members?: number
          provider?: string
          provider_max_members?: number
          settlement?: 'direct' | 'potluck'
          status?: 'active' | 'pending' | 'rejected'
          total_price?: number
          waiting?: number
        }
        Update: {
          billing_cycle?: 'monthly' | 'yearly'
          catalogue_plan_id?: string
          category?: 'streaming' | 'music' | 'gaming' | 'productivity' | 'security' | 'other'
          created_at?: string
          currency?: string
          current_members?: number
          description?: string
          fee_rate?: number
          id?: string
          instant_from?: 'new' | 'proven' | 'trusted' | null
          is_full?: never
          is_private?: boolean
          kept_places?: number
          logo?: string | null
          max_members?: number
          member_price?: number
          monthly_cost?: never
          name?: string
          next_payment?: string | null
          owner?: string
          owner_id?: string
          owner_max_members?: number
          provider?: string
          provider_max_members?: number
          settlement?: 'direct' | 'potluck'
          status?: 'active' | 'pending' | 'rejected'
          total_price?: number
          waiting?: number
        }
        Relationships: [
          {
            foreignKeyName: 'shared_subscriptions_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      subscription_invitations: {
        Row: {
          accepted_at: string | null
          created_at: string
          declined_at: string | null
          email: string
          expires_at: string
          id: string
          invited_by: string
          mail_status: 'waiting' | 'delayed' | 'sent' | 'failed'
          subscription_id: string
          token_hash: string
          withdrawn_at: string | null
        }
        Insert: {
          accepted_at?: string | null
          created_at?: string
          declined_at?: string | null
          email: string
          expires_at?: string
          id?: string
          invited_by: string
          mail_status?: 'waiting' | 'delayed' | 'sent' | 'failed'
          subscription_id: string
          token_hash: string
          withdrawn_at?: string | null
        }
        Update: {
          accepted_at?: string | null
          created_at?: string
          declined_at?: string | null
          email?: string
          expires_at?: string
          id?: string
          invited_by?: string
          mail_status?: 'waiting' | 'delayed' | 'sent' | 'failed'
          subscription_id?: string
          token_hash?: string
          withdrawn_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'subscription_invitations_invited_by_fkey'
            columns: ['invited_by']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'subscription_invitations_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
        ]
      }
      subscription_logins: {
        Row: {
          login_name: string
          subscription_id: string
          updated_at: string
        }
        Insert: {
          login_name: string
          subscription_id: string
          updated_at?: string
        }
        Update: {
          login_name?: string
          subscription_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'subscription_logins_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: true
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
        ]
      }
      subscription_members: {
        Row: {
          email: string
          id: string
          is_owner: boolean
          joined_at: string
          name: string
          subscription_id: string
          user_id: string
        }
        Insert: {
          email: string
          id?: string
          is_owner?: boolean
          joined_at?: string
          name: string
          subscription_id: string
          user_id: string
        }
        Update: {
          email?: string
          id?: string
          is_owner?: boolean
          joined_at?: string
          name?: string
          subscription_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'subscription_members_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'subscription_members_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      subscription_requests: {
        Row: {
          coins_first: boolean
          decided_at: string | null
          email: string
          expired: boolean
          id: string
          instant: boolean
          keeps_place: boolean
          message: string
          name: string
          owner_id: string
          requested_at: string
          status: 'pending' | 'approved' | 'rejected' | 'cancelled'
          subscription_id: string
          user_id: string
        }
        Insert: {
          coins_first?: boolean
          decided_at?: string | null
          email?: string
          expired?: boolean
          id?: string
          instant?: boolean
          keeps_place?: boolean
          message?: string
          name?: string
          owner_id?: string
          requested_at?: string
          status?: 'pending' | 'approved' | 'rejected' | 'cancelled'
          subscription_id: string
          user_id?: string
        }
        Update: {
          coins_first?: boolean
          decided_at?: string | null
          email?: string
          expired?: boolean
          id?: string
          instant?: boolean
          keeps_place?: boolean
          message?: string
          name?: string
          owner_id?: string
          requested_at?: string
          status?: 'pending' | 'approved' | 'rejected' | 'cancelled'
          subscription_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'subscription_requests_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'subscription_requests_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      system_permissions: {
        Row: {
          description: string
          id: string
          name: string
        }
        Insert: {
          description?: string
          id: string
          name: string
        }
        Update: {
          description?: string
          id?: string
          name?: string
        }
        Relationships: []
      }
      system_roles: {
        Row: {
          created_at: string
          description: string
          id: string
          name: string
          permissions: string[]
        }
        Insert: {
          created_at?: string
          description?: string
          id?: string
          name?: string
          permissions?: string[]
        }
        Update: {
          created_at?: string
          description?: string
          id?: string
          name?: string
          permissions?: string[]
        }
        Relationships: []
      }
      term_proposals: {
        Row: {
          accepted: boolean | null
          answered_at: string | null
          id: string
          member_id: string
          owner_id: string
          proposed_at: string
          seat_id: string
          settlement: 'direct' | 'potluck'
          share: number
          subscription_id: string
        }
        Insert: {
          accepted?: boolean | null
          answered_at?: string | null
          id?: string
          member_id: string
          owner_id: string
          proposed_at?: string
          seat_id: string
          settlement: 'direct' | 'potluck'
          share: number
          subscription_id: string
        }
        Update: {
          accepted?: boolean | null
          answered_at?: string | null
          id?: string
          member_id?: string
          owner_id?: string
          proposed_at?: string
          seat_id?: string
          settlement?: 'direct' | 'potluck'
          share?: number
          subscription_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'term_proposals_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'term_proposals_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      unknown_payment_events: {
        Row: {
          about: string
          finding: string | null
          id: string
          received_at: string
          reviewed_at: string | null
          reviewed_by: string | null
          type: string
        }
        Insert: {
          about: string
          finding?: string | null
          id: string
          received_at?: string
          reviewed_at?: string | null
          reviewed_by?: string | null
          type: string
        }
        Update: {
          about?: string
          finding?: string | null
          id?: string
          received_at?: string
          reviewed_at?: string | null
          reviewed_by?: string | null
          type?: string
        }
        Relationships: [
          {
            foreignKeyName: 'unknown_payment_events_reviewed_by_fkey'
            columns: ['reviewed_by']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      user_details: {
        Row: {
          full_name: string | null
          phone_number: string | null
          user_id: string
        }
        Insert: {
          full_name?: string | null
          phone_number?: string | null
          user_id: string
        }
        Update: {
          full_name?: string | null
          phone_number?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'user_details_user_id_fkey'
            columns: ['user_id']
            isOneToOne: true
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      user_notifications: {
        Row: {
          created_at: string
          event: string | null
          id: string
          message: string
          params: Json
          read: boolean
          subscription_id: string | null
          title: string
          type: 'success' | 'warning' | 'error' | 'info'
          user_id: string
        }
        Insert: {
          created_at?: string
          event?: string | null
          id?: string
          message: string
          params?: Json
          read?: boolean
          subscription_id?: string | null
          title: string
          type: 'success' | 'warning' | 'error' | 'info'
          user_id: string
        }
        Update: {
          created_at?: string
          event?: string | null
          id?: string
          message?: string
          params?: Json
          read?: boolean
          subscription_id?: string | null
          title?: string
          type?: 'success' | 'warning' | 'error' | 'info'
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'user_notifications_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'user_notifications_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      user_profiles: {
        Row: {
          avatar_url: string | null
          created_at: string
          deleted_at: string | null
          display_name: string | null
          full_name: string | null
          phone_number: string | null
          updated_at: string
          user_id: string
        }
        Insert: {
          avatar_url?: string | null
          created_at?: string
          deleted_at?: string | null
          display_name?: string | null
          full_name?: string | null
          phone_number?: string | null
          updated_at?: string
          user_id: string
        }
        Update: {
          avatar_url?: string | null
          created_at?: string
          deleted_at?: string | null
          display_name?: string | null
          full_name?: string | null
          phone_number?: string | null
          updated_at?: string
          user_id?: string
        }
        Relationships: []
      }
      user_roles: {
        Row: {
          granted_at: string
          granted_by: string | null
          role: string
          user_id: string
        }
        Insert: {
          granted_at?: string
          granted_by?: string | null
          role: string
          user_id: string
        }
        Update: {
          granted_at?: string
          granted_by?: string | null
          role?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'user_roles_granted_by_fkey'
            columns: ['granted_by']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'user_roles_role_fkey'
            columns: ['role']
            isOneToOne: false
            referencedRelation: 'system_roles'
            referencedColumns: ['name']
          },
          {
            foreignKeyName: 'user_roles_user_id_fkey'
            columns: ['user_id']
            isOneToOne: true
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      user_wallets: {
        Row: {
          coin_balance: number
          created_at: string
          total_earned: number
          total_withdrawn: number
          updated_at: string
          user_id: string
        }
        Insert: {
          coin_balance?: number
          created_at?: string
          total_earned?: number
          total_withdrawn?: number
          updated_at?: string
          user_id: string
        }
        Update: {
          coin_balance?: number
          created_at?: string
          total_earned?: number
          total_withdrawn?: number
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'user_wallets_user_id_fkey'
            columns: ['user_id']
            isOneToOne: true
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      waiting_list: {
        Row: {
          id: string
          joined_at: string
          offered_until: string | null
          subscription_id: string
          user_id: string
        }
        Insert: {
          id?: string
          joined_at?: string
          offered_until?: string | null
          subscription_id: string
          user_id: string
        }
        Update: {
          id?: string
          joined_at?: string
          offered_until?: string | null
          subscription_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'waiting_list_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'waiting_list_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      withdrawal_requests: {
        Row: {
          amount: number
          bank_account_id: string | null
          bank_account_last4: string | null
          closes_account: boolean
          completed_at: string | null
          completed_by: string | null
          id: string
          processed_at: string | null
          processed_by: string | null
          rejection_reason: string | null
          requested_at: string
          return_reason: string | null
          returned_at: string | null
          returned_by: string | null
          status: 'pending' | 'processing' | 'completed' | 'rejected'
          stripe_transfer_id: string | null
          user_id: string
        }
        Insert: {
          amount: number
          bank_account_id?: string | null
          bank_account_last4?: string | null
          closes_account?: boolean
          completed_at?: string | null
          completed_by?: string | null
          id?: string
          processed_at?: string | null
          processed_by?: string | null
          rejection_reason?: string | null
          requested_at?: string
          return_reason?: string | null
          returned_at?: string | null
          returned_by?: string | null
          status?: 'pending' | 'processing' | 'completed' | 'rejected'
          stripe_transfer_id?: string | null
          user_id?: string
        }
        Update: {
          amount?: number
          bank_account_id?: string | null
          bank_account_last4?: string | null
          closes_account?: boolean
          completed_at?: string | null
          completed_by?: string | null
          id?: string
          processed_at?: string | null
          processed_by?: string | null
          rejection_reason?: string | null
          requested_at?: string
          return_reason?: string | null
          returned_at?: string | null
          returned_by?: string | null
          status?: 'pending' | 'processing' | 'completed' | 'rejected'
          stripe_transfer_id?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'withdrawal_requests_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
    }
    Views: { [_ in never]: never }
    Functions: {
      accept_invitation: {
        Args: { p_token: string }
        Returns: string
      }
      add_push_device: {
        Args: { p_endpoint: string; p_p256dh: string; p_auth: string }
        Returns: undefined
      }
      adjust_wallet: {
        Args: { p_user_id: string; p_amount: number; p_reason: string }
        Returns: Database['public']['Tables']['coin_transactions']['Row']
        SetofOptions: { from: '*'; to: 'coin_transactions'; isOneToOne: true; isSetofReturn: false }
      }
      announce_to_members: {
        Args: { p_subscription_id: string; p_text: string }
        Returns: number
      }
      answer_fix: {
        Args: { p_problem_id: string; p_works: boolean; p_note?: string | null }
        Returns: undefined
      }
      answer_review: {
        Args: { p_review_id: string; p_text: string }
        Returns: undefined
      }
      answer_terms: {
        Args: { p_proposal_id: string; p_accept: boolean }
        Returns: undefined
      }
      approve_subscription_request: {
        Args: { p_request_id: string; p_subscription_id: string }
        Returns: Json
      }
      ask_question: {
        Args: { p_subscription_id: string; p_text: string }
        Returns: string
      }
      assign_user_role: {
        Args: { p_user_id: string; p_role: string }
        Returns: boolean
      }
      begin_payment: {
        Args: { p_payment_id: string; p_card_id: string }
        Returns: undefined
      }
      begin_vault: {
        Args: { p_site_key: string }
        Returns: string
      }
      block_person: {
        Args: { p_person_id: string }
        Returns: undefined
      }
      calendar_of: {
        Args: { p_token: string }
        Returns: { uid: string; day: string; summary: string; path: string }[]
      }
      check_existing_subscription_membership: {
        Args: { p_subscription_id: string; p_user_id: string }
        Returns: boolean
      }
      check_existing_subscription_request: {
        Args: { p_subscription_id: string; p_user_id: string }
        Returns: boolean
      }
      check_instant: {
        Args: { p_subscription_id: string; p_coins_first?: boolean }
        Returns: Json
      }
      choose_card: {
        Args: { p_card_id: string }
        Returns: undefined
      }
      choose_notifications: {
        Args: { p_topic: string; p_channel: string; p_wanted: boolean }
        Returns: undefined
      }
      close_person_report: {
        Args: { p_report_id: string; p_finding: string }
        Returns: undefined
      }
      coins_by_day: {
        Args: never
        Returns: { day: string; earned: number; spent: number; withdrawn: number; refunded: number }[]
      }
      confirm_access: {
        Args: { p_seat_id: string }
        Returns: undefined
      }
      confirm_payment: {
        Args: { p_payment_id: string }
        Returns: undefined
      }
      contest_problem: {
        Args: { p_problem_id: string; p_note?: string | null }
        Returns: undefined
      }
      count_available_plans: {
        Args: never
        Returns: { category: string; provider: string; plans: number; open: number }[]
      }
      count_kept_places: {
        Args: { p_subscription_ids: string[] }
        Returns: { subscription_id: string; kept: number }[]
      }
      create_payout_file: {
        Args: { p_withdrawals: string[] }
        Returns: number
      }
      decide_problem: {
        Args: { p_problem_id: string; p_for_member: boolean; p_reason: string }
        Returns: undefined
      }
      decide_review: {
        Args: { p_review_id: string; p_hidden_reason?: string | null }
        Returns: undefined
      }
      decline_invitation: {
        Args: { p_token: string }
        Returns: undefined
      }
      delete_own_account: {
        Args: { p_give_up_coins?: boolean }
        Returns: undefined
      }
      deny_payment: {
        Args: { p_payment_id: string; p_note: string }
        Returns: undefined
      }
      end_calendar: {
        Args: never
        Returns: undefined
      }
      end_late_seat: {
        Args: { p_seat_id: string }
        Returns: undefined
      }
      end_seat_with_period: {
        Args: { p_seat_id: string }
        Returns: string
      }
      end_session: {
        Args: { p_session_id: string }
        Returns: undefined
      }
      export_own_data: {
        Args: never
        Returns: Json
      }
      fee_rate: {
        Args: never
        Returns: number
      }
      fetch_archived_requests: {
        Args: { p_subscription_id: string }
        Returns: Database['public']['Tables']['subscription_requests']['Row'][]
        SetofOptions: { from: '*'; to: 'subscription_requests'; isOneToOne: false; isSetofReturn: true }
      }
      fetch_user_archived_requests: {
        Args: { p_user_id: string }
        Returns: Database['public']['Tables']['subscription_requests']['Row'][]
        SetofOptions: { from: '*'; to: 'subscription_requests'; isOneToOne: false; isSetofReturn: true }
      }
      find_or_create_conversation: {
        Args: { p_subscription_id: string; p_owner_id: string; p_member_id: string }
        Returns: string
      }
      forget_card: {
        Args: { p_method: string }
        Returns: undefined
      }
      get_admin_dashboard: {
        Args: never
        Returns: { active_plans: number; active_plans_before: number; revenue: number; revenue_before: number; users: number; users_before: number; active_users: number; admins: number }[]
      }
      get_bank_account: {
        Args: never
        Returns: Json
      }
      get_calendar: {
        Args: never
        Returns: string
      }
      get_conversation_unread_status: {
        Args: { p_conversation_id: string; p_user_id: string }
        Returns: boolean
      }
      get_invitation: {
        Args: { p_token: string }
        Returns: { status: string; expires_at: string; email: string; subscription_id: string; provider: string; name: string; description: string; member_price: number; currency: string; billing_cycle: string; settlement: string; fee_rate: number; next_payment: string; owner_name: string; owner_avatar_url: string }[]
      }
      get_mail_preference: {
        Args: never
        Returns: boolean
      }
      get_notification_choices: {
        Args: never
        Returns: { topic: string; mail: boolean; push: boolean }[]
      }
      get_pending_provider_requests_count: {
        Args: never
        Returns: number
      }
      get_pending_requests_with_expiry: {
        Args: { p_subscription_id: string }
        Returns: { id: string; user_id: string; name: string; email: string; avatar_url: string; requested_at: string; message: string; expires_in_hours: number }[]
      }
      get_person: {
        Args: { p_person_id: string }
        Returns: Json
      }
      get_plan_link: {
        Args: { p_subscription_id: string }
        Returns: string
      }
      get_staff_person: {
        Args: { p_person_id: string }
        Returns: Json
      }
      get_standing_levels: {
        Args: never
        Returns: Json
      }
      get_user_unread_conversations: {
        Args: { p_user_id: string }
        Returns: { conversation_id: string; subscription_id: string; owner_id: string; member_id: string }[]
      }
      get_vault_entry: {
        Args: { p_subscription_id: string }
        Returns: Json
      }
      give_access: {
        Args: { p_seat_id: string; p_address: string }
        Returns: undefined
      }
      invite_member: {
        Args: { p_subscription_id: string; p_email: string }
        Returns: string
      }
      is_subscription_owner: {
        Args: { subscription_id_param: string }
        Returns: boolean
      }
      join_waiting_list: {
        Args: { p_subscription_id: string }
        Returns: number
      }
      keep_unknown_event: {
        Args: { p_id: string; p_type: string; p_about: string }
        Returns: undefined
      }
      knows_charge: {
        Args: { p_intent: string }
        Returns: boolean
      }
      leave_seat: {
        Args: { p_seat_id: string; p_now?: boolean }
        Returns: string
      }
      leave_waiting_list: {
        Args: { p_subscription_id: string }
        Returns: undefined
      }
      list_payout_files: {
        Args: { p_limit?: number; p_offset?: number }
        Returns: { id: number; payments: number; completed: number; amount: number; created_at: string; created_by_name: string; voided_at: string; voided_by_name: string; void_reason: string }[]
      }
      list_person_reports: {
        Args: { p_closed?: boolean; p_person?: string | null }
        Returns: { id: string; person_id: string; person_name: string; avatar_url: string; reporter_id: string; reporter_name: string; reason: string; reported_at: string; decided_at: string; finding: string }[]
      }
      list_plans_for_review: {
        Args: { p_status?: string; p_before?: string; p_before_id?: string; p_limit?: number; p_owner?: string | null }
        Returns: { id: string; name: string; provider: string; category: string; status: string; price: number; billing_cycle: string; owner_id: string; created_by: string; created_at: string; members_count: number }[]
      }
      list_reported_reviews: {
        Args: never
        Returns: { id: string; author_id: string; author_name: string; subject_id: string; subject_name: string; plan: string; rating: number; body: string; answer: string; reason: string; reporter_id: string; reporter_name: string; reported_at: string }[]
      }
      list_staff_log: {
        Args: { p_before?: number | null; p_limit?: number; p_person?: string | null }
        Returns: { line: number; at: string; actor: string; actor_name: string; action: string; subject: string; subject_name: string; details: Json; hash: string }[]
      }
      list_system_roles: {
        Args: never
        Returns: { id: string; name: string; description: string; users_count: number; permissions: string[] }[]
      }
      list_transfers: {
        Args: { p_person?: string | null; p_subscription_id?: string | null; p_kind?: string | null; p_from?: string | null; p_until?: string | null; p_before?: string | null; p_before_id?: number | null; p_limit?: number }
        Returns: { id: number; created_at: string; kind: string; amount: number; from_kind: string; to_kind: string; person_id: string; person_name: string; subscription_id: string; plan_name: string; description: string; moved_by: string }[]
      }
      list_users: {
        Args: { p_search?: string; p_limit?: number; p_before?: string; p_before_id?: string; p_role?: string | null }
        Returns: { id: string; email: string; display_name: string; avatar_url: string; role: string; created_at: string }[]
      }
      list_vault_openings: {
        Args: { p_subscription_id: string; p_limit?: number; p_offset?: number }
        Returns: { id: number; version: number; opened_at: string; opened_by: string; opener_name: string }[]
      }
      list_vault_versions: {
        Args: { p_subscription_id: string }
        Returns: { version: number; created_at: string; author_name: string }[]
      }
      list_withdrawals: {
        Args: { p_limit?: number; p_offset?: number; p_status?: string | null; p_person?: string | null }
        Returns: { id: string; user_id: string; display_name: string; full_name: string; avatar_url: string; amount: number; status: string; requested_at: string; processed_at: string; completed_at: string; rejection_reason: string; stripe_transfer_id: string; bank_account_last4: string; processed_by: string; processed_by_name: string; completed_by: string; completed_by_name: string; has_account: boolean; payout_file_id: number; returned_at: string; return_reason: string }[]
      }
      make_calendar: {
        Args: never
        Returns: string
      }
      mark_conversation_read: {
        Args: { p_conversation_id: string; p_user_id: string }
        Returns: undefined
      }
      mark_notifications_as_read: {
        Args: { p_user_id: string; p_notification_ids?: string[] | null }
        Returns: undefined
      }
      market_plan: {
        Args: { p_id: string }
        Returns: Json
      }
      market_plans: {
        Args: { p_search?: string | null; p_category?: string | null; p_provider?: string | null; p_most?: number | null; p_settlement?: string | null; p_level?: string | null; p_instant?: boolean; p_cheapest?: boolean; p_above?: number | null; p_before?: string; p_before_id?: string; p_limit?: number }
        Returns: Json
      }
      move_clock: {
        Args: { p_by: unknown }
        Returns: string
      }
      my_home: {
        Args: never
        Returns: Json
      }
      my_precedence: {
        Args: never
        Returns: { seat_id: string; subscription_id: string; catalogue_plan_id: string; provider: string; plan_name: string; owner_id: string; until: string }[]
      }
      my_push_devices: {
        Args: never
        Returns: { id: string; user_agent: string; created_at: string; last_tried_at: string; last_success_at: string; has_failed: boolean; is_current: boolean }[]
      }
      my_seats: {
        Args: never
        Returns: { id: string; subscription_id: string; provider: string; plan_name: string; owner_id: string; owner_name: string; settlement: string; billing_cycle: string; share: number; coins_first: boolean; status: string; opened_at: string; paid_until: string; ends_at: string; ended_at: string; end_reason: string; may_stay: boolean; admitted_at: string; access_given_at: string; access_due_at: string; invited_address: string; access_works: boolean; problem_id: string; owed_back: number }[]
      }
      my_sessions: {
        Args: never
        Returns: { id: string; user_agent: string; ip: string; created_at: string; last_used_at: string; proof: string[]; is_current: boolean }[]
      }
      my_time_zone: {
        Args: never
        Returns: string
      }
      my_waiting_lists: {
        Args: never
        Returns: { subscription_id: string; provider: string; name: string; position: number; offered_until: string; joined_at: string }[]
      }
      nudge_payment: {
        Args: { p_payment_id: string }
        Returns: undefined
      }
      open_own_wallet: {
        Args: never
        Returns: Database['public']['Tables']['user_wallets']['Row']
        SetofOptions: { from: '*'; to: 'user_wallets'; isOneToOne: true; isSetofReturn: false }
      }
      open_payout_file: {
        Args: { p_file_id: number }
        Returns: Json
      }
      open_plan_link: {
        Args: { p_token: string }
        Returns: string
      }
      open_vault_entry: {
        Args: { p_subscription_id: string; p_version?: number | null }
        Returns: Json
      }
      own_charge: {
        Args: { p_payment_id: string }
        Returns: Json
      }
      page_head: {
        Args: { p_path: string }
        Returns: Json
      }
      passwords_due: {
        Args: never
        Returns: { subscription_id: string; since: string }[]
      }
      payment_person: {
        Args: { p_adds_card: boolean }
        Returns: Json
      }
      payment_provider: {
        Args: never
        Returns: Json
      }
      plan_seats: {
        Args: { p_subscription_id: string }
        Returns: { id: string; member_id: string; member_name: string; avatar_url: string; settlement: string; billing_cycle: string; share: number; status: string; opened_at: string; paid_until: string; unpaid_since: string; ends_at: string; ended_at: string; end_reason: string; held: number; earned: number; next_release: string; admitted_at: string; access_given_at: string; access_due_at: string; invited_address: string; access_works: boolean; problem_id: string; owed_back: number }[]
      }
      prepare_bank_account: {
        Args: never
        Returns: Json
      }
      prepare_vault_entry: {
        Args: { p_subscription_id: string }
        Returns: Json
      }
      problem_timeline: {
        Args: { p_problem_id: string }
        Returns: { at: string; kind: string; person_id: string; person_name: string; note: string; amount: number }[]
      }
      proof_methods: {
        Args: never
        Returns: string[]
      }
      propose_terms: {
        Args: { p_subscription_id: string; p_settlement: string }
        Returns: number
      }
      public_books: {
        Args: never
        Returns: { day: string; held: number; owed: number; going_back: number; fees: number; corrections: number; outside: number; total: number; given_back: number; seats: number; wallets: number; problems: number; fixed: number; paid_back: number; unfounded: number; hours_to_money: number; checked_at: string; balanced: boolean }[]
      }
      quote_plan: {
        Args: { p_subscription_id: string }
        Returns: Json
      }
      recall_simulated: {
        Args: { p_id: string }
        Returns: Json
      }
      recent_account_changes: {
        Args: never
        Returns: { kind: string; happened_at: string; undone_at: string }[]
      }
      record_card: {
        Args: { p_customer: string; p_method: string; p_brand: string; p_last4: string; p_exp_month: number; p_exp_year: number; p_is_new: boolean }
        Returns: boolean
      }
      record_charge: {
        Args: { p_intent: string; p_status: string; p_code: string; p_amount: number; p_cost: number; p_is_heard: boolean }
        Returns: boolean
      }
      record_customer: {
        Args: { p_user_id: string; p_customer: string }
        Returns: string
      }
      record_dispute: {
        Args: { p_reference: string; p_intent: string; p_amount: number; p_status: string; p_reason: string; p_due_by: string }
        Returns: boolean
      }
      record_intent: {
        Args: { p_payment_id: string; p_intent: string }
        Returns: string
      }
      record_refund: {
        Args: { p_refund: string; p_reference: string; p_status: string; p_reason: string }
        Returns: boolean
      }
      reject_subscription_request: {
        Args: { p_request_id: string; p_subscription_id: string }
        Returns: undefined
      }
      remember_simulated: {
        Args: { p_id: string; p_body: Json }
        Returns: undefined
      }
      remove_card: {
        Args: { p_card_id: string }
        Returns: undefined
      }
      remove_push_device: {
        Args: { p_id: string }
        Returns: undefined
      }
      replace_plan_link: {
        Args: { p_subscription_id: string }
        Returns: string
      }
      report_payment_provider: {
        Args: { p_provider: string; p_mode: string; p_publishable_key: string }
        Returns: undefined
      }
      report_person: {
        Args: { p_person_id: string; p_reason: string }
        Returns: undefined
      }
      report_problem: {
        Args: { p_seat_id: string; p_reason: string; p_note?: string | null }
        Returns: string
      }
      report_review: {
        Args: { p_review_id: string; p_reason: string }
        Returns: undefined
      }
      return_withdrawal: {
        Args: { p_withdrawal_id: string; p_reason: string }
        Returns: undefined
      }
      review_payment_event: {
        Args: { p_id: string; p_finding: string }
        Returns: undefined
      }
      review_plan: {
        Args: { p_subscription_id: string; p_decision: string }
        Returns: string
      }
      review_seat: {
        Args: { p_seat_id: string; p_rating: number; p_text?: string }
        Returns: undefined
      }
      reviews_of: {
        Args: { p_person_id: string }
        Returns: { id: string; author_id: string; author_name: string; avatar_url: string; plan: string; rating: number; body: string; written_at: string; answer: string; may_answer: boolean; may_report: boolean }[]
      }
      reviews_to_write: {
        Args: never
        Returns: { seat_id: string; subscription_id: string; plan: string; person_id: string; person_name: string; avatar_url: string; they_wrote: boolean }[]
      }
      rewrap_vault_keys: {
        Args: { p_site_key: string; p_keys: Json }
        Returns: undefined
      }
      role_is_shut: {
        Args: never
        Returns: boolean
      }
      save_bank_account: {
        Args: { p_id: string; p_version: number; p_last4: string; p_sealed: string; p_key: Json }
        Returns: Json
      }
      save_vault_entry: {
        Args: { p_subscription_id: string; p_version: number; p_sealed: string; p_key: Json }
        Returns: Json
      }
      say_fixed: {
        Args: { p_problem_id: string; p_note?: string | null }
        Returns: undefined
      }
      say_paid: {
        Args: { p_payment_id: string }
        Returns: undefined
      }
      search_plans: {
        Args: { p_search: string; p_category?: string | null; p_provider?: string | null; p_before?: string; p_before_id?: string; p_limit?: number; p_full?: boolean; p_instant?: boolean }
        Returns: Database['public']['Tables']['shared_subscriptions']['Row'][]
        SetofOptions: { from: '*'; to: 'shared_subscriptions'; isOneToOne: false; isSetofReturn: true }
      }
      set_mail_preference: {
        Args: { p_notifications: boolean }
        Returns: undefined
      }
      set_mail_preference_by_link: {
        Args: { p_token: string; p_notifications: boolean }
        Returns: undefined
      }
      set_time_zone: {
        Args: { p_zone: string }
        Returns: undefined
      }
      settle_mail: {
        Args: { p_id: string; p_attempt: number; p_error: string; p_is_final: boolean }
        Returns: undefined
      }
      settle_owed: {
        Args: { p_seat_id: string }
        Returns: undefined
      }
      settle_payment_job: {
        Args: { p_job: string; p_attempt: number; p_error: string }
        Returns: undefined
      }
      settle_push: {
        Args: { p_about: string; p_session_id: string; p_attempt: number; p_error: string; p_outcome: string }
        Returns: undefined
      }
      site_paths: {
        Args: never
        Returns: string[]
      }
      site_series: {
        Args: { p_step: string }
        Returns: { starts_on: string; people: number; plans: number; places: number; paid: number; fees: number }[]
      }
      standing_of: {
        Args: { p_user_ids: string[] }
        Returns: { user_id: string; level: string; days_here: number; hours_given: number; paid_on_time: number; paid_late: number; problems: number; answers: number; answer_minutes: number; rating: number; reviewers: number }[]
      }
      stay: {
        Args: { p_seat_id: string }
        Returns: undefined
      }
      take_due_mails: {
        Args: { p_limit: number }
        Returns: { id: string; attempt: number; recipient: string; subject: string; html: string; unsubscribe_path: string }[]
      }
      take_due_pushes: {
        Args: { p_limit: number }
        Returns: { about: string; session_id: string; attempt: number; endpoint: string; p256dh: string; auth: string; title: string; message: string; path: string }[]
      }
      take_payment_jobs: {
        Args: { p_provider: string; p_limit: number; p_payment_id?: string | null }
        Returns: Json
      }
      take_vault_keys: {
        Args: { p_site_key: string; p_limit?: number }
        Returns: Json
      }
      test_push: {
        Args: never
        Returns: string
      }
      transaction_statistics: {
        Args: never
        Returns: { period: string; transactions: number; earned: number; spent: number; withdrawn: number; refunded: number }[]
      }
      unblock_person: {
        Args: { p_person_id: string }
        Returns: undefined
      }
      undo_account_change: {
        Args: { p_token: string }
        Returns: Json
      }
      use_coins_first: {
        Args: { p_seat_id: string; p_coins_first: boolean }
        Returns: undefined
      }
      validate_withdrawal_request: {
        Args: { p_user_id: string; p_amount: number }
        Returns: Json
      }
      void_payout_file: {
        Args: { p_file_id: number; p_reason: string }
        Returns: undefined
      }
      wallet_overview: {
        Args: never
        Returns: { wallets: number; circulation: number; earned: number; withdrawn: number; net_flow: number; coins_vs_withdrawals: number; average: number; recent_transactions: number; recent_earned: number; recent_spent: number; recent_withdrawn: number; recent_refunded: number }[]
      }
      wallet_statement: {
        Args: { p_from: string; p_until: string }
        Returns: Json
      }
      withdraw_invitation: {
        Args: { p_invitation_id: string }
        Returns: undefined
      }
      withdraw_problem: {
        Args: { p_problem_id: string }
        Returns: undefined
      }
      withdrawal_statistics: {
        Args: never
        Returns: { status: string; requests: number; amount: number }[]
      }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
